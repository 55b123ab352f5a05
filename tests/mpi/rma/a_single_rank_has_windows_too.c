// MPI 5.0 section 12.3: "For all RMA communication operations, the target process may be identical
// with the origin process; i.e., an MPI process may use an RMA operation to move data in its
// memory."
// ranks: 1 3
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int memory[10], one = 1, old;
    for (int i = 0; i < 10; ++i)
        memory[i] = i;
    MPI_Win win;
    CHECK_SUCCESS(
        MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &win));
    MPI_Win_fence(0, win);
    CHECK_SUCCESS(MPI_Put(&memory[5], 5, MPI_INT, 0, 0, 5, MPI_INT, win));
    MPI_Win_fence(0, win);
    for (int i = 0; i < 10; ++i)
        CHECK_EQUAL(memory[i], i % 5 + 5);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    CHECK_SUCCESS(MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 3, MPI_SUM, win));
    MPI_Win_unlock(0, win);
    CHECK_EQUAL(old, 8);
    CHECK_EQUAL(memory[3], 9);
    MPI_Group group;
    MPI_Win_get_group(win, &group);
    CHECK_SUCCESS(MPI_Win_post(group, 0, win));
    CHECK_SUCCESS(MPI_Win_start(group, 0, win));
    CHECK_SUCCESS(MPI_Get(&old, 1, MPI_INT, 0, 9, 1, MPI_INT, win));
    CHECK_SUCCESS(MPI_Win_complete(win));
    CHECK_SUCCESS(MPI_Win_wait(win));
    CHECK_EQUAL(old, 9);
    MPI_Group_free(&group);
    MPI_Win_free(&win);
    return finish();
}

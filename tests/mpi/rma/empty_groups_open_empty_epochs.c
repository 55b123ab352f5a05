// MPI 5.0 section 12.5.2: "A call is a no-op, and can be skipped, if the group argument is empty.
// After the communications calls, each MPI process that issued a start will issue a complete.
// Finally, each MPI process that issued a post will issue a wait."
// ranks: 1 3
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, value = 7, flag = 0;
    MPI_Win win = int_window(1, 0, &memory);
    CHECK_SUCCESS(MPI_Win_post(MPI_GROUP_EMPTY, 0, win));
    CHECK_SUCCESS(MPI_Win_start(MPI_GROUP_EMPTY, 0, win));
    CHECK_ERROR(MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    CHECK_SUCCESS(MPI_Win_complete(win));
    CHECK_SUCCESS(MPI_Win_wait(win));
    CHECK_SUCCESS(MPI_Win_post(MPI_GROUP_EMPTY, 0, win));
    CHECK_SUCCESS(MPI_Win_test(win, &flag));
    CHECK(flag);
    CHECK_EQUAL(memory[0], 0);
    free_window(&win);
    return finish();
}

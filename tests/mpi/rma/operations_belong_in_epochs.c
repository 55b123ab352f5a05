// MPI 5.0 section 12.5: "RMA communication calls with argument win must occur at an origin process
// only within an access epoch for win."
// ranks: 2 3
#include "windows.h"

static int x, y;

static void expect_refused(MPI_Win win, int target) {
    MPI_Request request;
    CHECK_ERROR(MPI_Put(&x, 1, MPI_INT, target, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Get(&x, 1, MPI_INT, target, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Accumulate(&x, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win),
                MPI_ERR_RMA_SYNC);
    CHECK_ERROR(
        MPI_Get_accumulate(&x, 1, MPI_INT, &y, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win),
        MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Fetch_and_op(&x, &y, MPI_INT, target, 0, MPI_SUM, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Compare_and_swap(&x, &x, &y, MPI_INT, target, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Rput(&x, 1, MPI_INT, target, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Rget(&x, 1, MPI_INT, target, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_flush(target, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_flush_local(target, win), MPI_ERR_RMA_SYNC);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, right = right_neighbour(), flag;
    MPI_Win win = int_window(1, 0, &memory);
    expect_refused(win, right);
    CHECK_ERROR(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_unlock(right, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
    // A lock opens its own target only.
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win));
    expect_refused(win, right);
    CHECK_SUCCESS(MPI_Put(&x, 1, MPI_INT, rank, 0, 1, MPI_INT, win));
    CHECK_SUCCESS(MPI_Win_flush_all(win));
    CHECK_ERROR(MPI_Win_unlock(right, win), MPI_ERR_RMA_SYNC);
    CHECK_SUCCESS(MPI_Win_unlock(rank, win));
    expect_refused(win, rank);
    // So does MPI_Win_start: only the members of its group.
    MPI_Group group = group_of(1, &rank);
    CHECK_SUCCESS(MPI_Win_post(group, 0, win));
    CHECK_SUCCESS(MPI_Win_start(group, 0, win));
    expect_refused(win, right);
    CHECK_SUCCESS(MPI_Put(&x, 1, MPI_INT, rank, 0, 1, MPI_INT, win));
    CHECK_SUCCESS(MPI_Win_complete(win));
    CHECK_SUCCESS(MPI_Win_wait(win));
    expect_refused(win, rank);
    MPI_Group_free(&group);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(memory[0], 0);
    free_window(&win);
    return finish();
}

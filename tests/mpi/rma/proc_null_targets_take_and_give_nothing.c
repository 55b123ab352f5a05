// MPI 5.0 section 12.3: "MPI_PROC_NULL is a valid target rank in all MPI RMA communication calls.
// The effect is the same as for MPI_PROC_NULL in MPI point-to-point communication. After any RMA
// operation with rank MPI_PROC_NULL, it is still necessary to close the RMA epoch with the
// synchronization method that opened the epoch."
// ranks: 1 2
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, x = 1, y = 2, z = 3;
    MPI_Request requests[4];
    MPI_Win win = int_window(1, 7, &memory);
    MPI_Win_fence(0, win);
    CHECK_SUCCESS(MPI_Put(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    CHECK_SUCCESS(MPI_Get(&x, 1, MPI_INT, MPI_PROC_NULL, 1000, 1, MPI_INT, win));
    CHECK_SUCCESS(MPI_Accumulate(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win));
    CHECK_SUCCESS(MPI_Get_accumulate(&x, 1, MPI_INT, &y, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT,
                                     MPI_SUM, win));
    CHECK_SUCCESS(MPI_Get_accumulate(&x, 0, MPI_INT, &y, 0, MPI_INT, MPI_PROC_NULL, 0, 0, MPI_BYTE,
                                     MPI_SUM, win));
    CHECK_SUCCESS(MPI_Fetch_and_op(&x, &y, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, win));
    CHECK_SUCCESS(MPI_Compare_and_swap(&x, &y, &z, MPI_INT, MPI_PROC_NULL, 0, win));
    MPI_Win_fence(0, win);
    MPI_Win_lock_all(0, win);
    CHECK_SUCCESS(MPI_Rput(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[0]));
    CHECK_SUCCESS(MPI_Rget(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[1]));
    CHECK_SUCCESS(
        MPI_Raccumulate(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, win, &requests[2]));
    CHECK_SUCCESS(MPI_Rget_accumulate(&x, 1, MPI_INT, &y, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT,
                                      MPI_SUM, win, &requests[3]));
    CHECK_SUCCESS(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
    CHECK_SUCCESS(MPI_Win_flush(MPI_PROC_NULL, win));
    MPI_Win_unlock_all(win);
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, win));
    CHECK_SUCCESS(MPI_Put(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win));
    CHECK_SUCCESS(MPI_Win_unlock(MPI_PROC_NULL, win));
    CHECK_EQUAL(x, 1);
    CHECK_EQUAL(y, 2);
    CHECK_EQUAL(z, 3);
    CHECK_EQUAL(memory[0], 7);
    free_window(&win);
    return finish();
}

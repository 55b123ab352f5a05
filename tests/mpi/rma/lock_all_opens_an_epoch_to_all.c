// MPI 5.0 section 12.5.3: MPI_WIN_LOCK_ALL "Opens an RMA access epoch to all MPI processes in win,
// with a lock type of MPI_LOCK_SHARED. During the epoch, the calling MPI process can access the
// window memory on all MPI processes in win by using RMA operations." "This routine is not
// collective---the ALL refers to a lock on all members of the group of the window."
// ranks: 1 2 7
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, all;
    MPI_Win win = int_window(size + 1, -1, &memory);
    if (rank == size - 1) { // the last rank alone
        CHECK_SUCCESS(MPI_Win_lock_all(0, win));
        for (int target = 0; target < size; ++target) {
            MPI_Put(&target, 1, MPI_INT, target, size, 1, MPI_INT, win);
            MPI_Win_flush_local(target, win);
        }
        CHECK_SUCCESS(MPI_Win_unlock_all(win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(memory[size], rank);
    for (int round = 0; round < 10; ++round) {
        CHECK_SUCCESS(MPI_Win_lock_all(round % 2 ? MPI_MODE_NOCHECK : 0, win));
        MPI_Barrier(MPI_COMM_WORLD); // all at the same time: the lock is shared
        for (int target = 0; target < size; ++target) {
            all = round * 100 + rank;
            MPI_Put(&all, 1, MPI_INT, target, rank, 1, MPI_INT, win);
        }
        CHECK_SUCCESS(MPI_Win_unlock_all(win));
        MPI_Barrier(MPI_COMM_WORLD);
        for (int origin = 0; origin < size; ++origin)
            CHECK_EQUAL(memory[origin], round * 100 + origin);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free_window(&win);
    return finish();
}

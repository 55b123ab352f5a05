// MPI 5.0 section 12.7.3: "Some of the calls may delay their return until the lock is acquired if
// another MPI process holds a conflicting lock. However, if no conflicting lock is held, then the
// code fragment must complete."
// ranks: 3
#include "windows.h"

// Rank 0 holds a shared lock and waits for a message of rank 2. Rank 1 waits for an exclusive lock.
// Rank 2 comes after it, and must get its shared lock nevertheless: only shared locks are held.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, token = 0;
    MPI_Win win = int_window(1, 0, &memory);
    for (int round = 0; round < 5; ++round) {
        if (rank == 0) {
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
            MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&token, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        } else {
            MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            rest(); // rank 1 waits by now
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
            MPI_Send(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
        CHECK_SUCCESS(MPI_Win_unlock(0, win));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    // Likewise with MPI_Win_lock_all instead of the shared lock of rank 2.
    if (rank == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_unlock_all(win);
    } else if (rank == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&token, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Win_unlock(1, win);
    } else {
        MPI_Recv(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        rest();
        MPI_Win_lock_all(0, win);
        MPI_Send(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Win_unlock_all(win);
    }
    free_window(&win);
    return finish();
}

// MPI 5.0 section 12.5.3: "Accesses that are protected by a shared lock (acquired using
// MPI_LOCK_SHARED) will not be concurrent at the window site with accesses protected by an
// exclusive lock to the same window."
// ranks: 3 6
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, ten = 10, got[2];
    MPI_Win win = int_window(2, 0, &memory);
    // All hold the shared lock at the same time, or the barrier would never end.
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Win_unlock(0, win));
    // Readers see what a writer has written whole, or nothing of it.
    for (int i = 0; i < 40; ++i) {
        if (rank == 1) {
            CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
            MPI_Accumulate(&ten, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
            rest();
            MPI_Accumulate(&ten, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
        } else {
            CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
            MPI_Get(got, 2, MPI_INT, 0, 0, 2, MPI_INT, win);
            MPI_Win_flush(0, win);
            CHECK_EQUAL(got[0], got[1]);
        }
        CHECK_SUCCESS(MPI_Win_unlock(0, win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK_EQUAL(memory[0], 400);
    free_window(&win);
    return finish();
}

// MPI 5.0 section 12.5.3: "Accesses that are protected by a shared lock (acquired using
// MPI_LOCK_SHARED) will not be concurrent at the window site with accesses protected by an
// exclusive lock to the same window." MPI_WIN_LOCK_ALL has "a lock type of MPI_LOCK_SHARED".
// ranks: 2 5
#include "windows.h"

// The even ranks write pairs under an exclusive lock of one target, the odd ones read all targets.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, got[2], one = 1;
    MPI_Win win = int_window(2, 0, &memory);
    for (int i = 0; i < 30; ++i) {
        int target = (rank / 2 + i) % size;
        if (rank % 2 == 0) {
            CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
            MPI_Get(got, 2, MPI_INT, target, 0, 2, MPI_INT, win);
            MPI_Win_flush(target, win);
            CHECK_EQUAL(got[0], got[1]);
            MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win);
            if (i % 5 == 0)
                rest();
            MPI_Accumulate(&one, 1, MPI_INT, target, 1, 1, MPI_INT, MPI_SUM, win);
            CHECK_SUCCESS(MPI_Win_unlock(target, win));
        } else {
            CHECK_SUCCESS(MPI_Win_lock_all(0, win));
            for (int t = 0; t < size; ++t) {
                MPI_Get(got, 2, MPI_INT, t, 0, 2, MPI_INT, win);
                MPI_Win_flush(t, win);
                CHECK_EQUAL(got[0], got[1]);
            }
            CHECK_SUCCESS(MPI_Win_unlock_all(win));
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int sum;
    MPI_Allreduce(&memory[0], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(sum, 30 * ((size + 1) / 2));
    free_window(&win);
    return finish();
}

// MPI 5.0 section 12.5.3: "It is erroneous to have a window locked and exposed (in an exposure
// epoch) concurrently." Not so after the lock, wherever it was held.
// ranks: 3
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory;
    MPI_Win win = int_window(1, 0, &memory);
    MPI_Group self = group_of(1, &rank);
    for (int round = 0; round < 100; ++round) {
        MPI_Win_lock_all(0, win);
        MPI_Win_unlock_all(win);
        MPI_Win_lock(round % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, win);
        MPI_Win_unlock((rank + 1) % size, win);
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_SUCCESS(MPI_Win_post(self, 0, win));
        CHECK_SUCCESS(MPI_Win_start(self, 0, win));
        CHECK_SUCCESS(MPI_Win_complete(win));
        CHECK_SUCCESS(MPI_Win_wait(win));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Group_free(&self);
    free_window(&win);
    return finish();
}

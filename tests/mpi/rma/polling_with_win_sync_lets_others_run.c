// MPI 5.0 section 12.7 (unified memory model): "Updates from an origin process will appear in the
// memory of the target" and "This permits polling on a location for a change from zero to nonzero
// or for a particular value".
// ranks: 2 6
#include "windows.h"

// A token goes round by stores into shared memory; who waits for it polls, with one worker too.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int *mine, unit;
    volatile int *next;
    MPI_Aint bytes;
    MPI_Win win;
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    void *base;
    MPI_Win_shared_query(win, right_neighbour(), &bytes, &unit, &base);
    next = base;
    *mine = 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 1; round <= 20; ++round) {
        if (rank > 0)
            while (*(volatile int *)mine != round)
                MPI_Win_sync(win);
        MPI_Win_sync(win);
        *next = round;
        MPI_Win_sync(win);
        if (rank == 0)
            while (*(volatile int *)mine != round)
                MPI_Win_sync(win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return finish();
}

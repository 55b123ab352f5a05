// MPI 5.0 section 12.5: "In passive target communication the target process does not execute RMA
// synchronization calls, and there is no concept of an exposure epoch." Section 12.7: "When passive
// target synchronization is used, it is necessary to update the public window copy even if the
// window owner does not execute any related synchronization call."
// ranks: 2 4
#include "windows.h"

// Rank 0 calls nothing of MPI until it has seen the others' last update in its memory.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory;
    MPI_Win win = int_window(2 * size, 0, &memory);
    if (rank == 0) {
        for (int origin = 1; origin < size; ++origin)
            while (((volatile int *)memory)[origin] == 0)
                usleep(200);
        for (int origin = 1; origin < size; ++origin)
            CHECK_EQUAL(memory[size + origin], 100 + origin);
    } else {
        int value = 100 + rank, one = 1;
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Accumulate(&value, 1, MPI_INT, 0, size + rank, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, rank, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_unlock(0, win);
    }
    free_window(&win);
    return finish();
}

// MPI 5.0 section 12.8: "Implementing a critical region between multiple MPI processes with compare
// and swap."
// ranks: 1 2 6
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { rounds = 40 };

    int *memory, found, free_value = 0, taken = 1;
    long inside = 0;
    MPI_Win win = int_window(2, 0, &memory);
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < rounds; ++i) {
        do {
            MPI_Compare_and_swap(&taken, &free_value, &found, MPI_INT, 0, 0, win);
            MPI_Win_flush(0, win);
        } while (found == taken);
        // One rank at a time is here.
        MPI_Get(&found, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        if (i % 8 == 0)
            rest();
        found += 3;
        MPI_Put(&found, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        ++inside;
        MPI_Accumulate(&free_value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(inside, rounds);
    if (rank == 0)
        CHECK_EQUAL(memory[1], 3 * rounds * size);
    free_window(&win);
    return finish();
}

// ranks: 3 12
// timeout: 90
// All ranks but the last read a word in memory again and again, without any call, until the last
// one has written it: each holds its worker for a while only.
#include "world.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    volatile int *word = NULL;
    if (rank == size - 1)
        word = calloc(1, sizeof *word);
    MPI_Bcast(&word, sizeof word, MPI_BYTE, size - 1, MPI_COMM_WORLD); // one memory for all ranks
    for (int round = 1; round <= 2; ++round) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == size - 1)
            *word = round;
        while (*word < round) {
        }
    }
    // The ranks find their ways back to the workers.
    for (int i = 0; i < 1000; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        free((void *)word);
    return finish();
}

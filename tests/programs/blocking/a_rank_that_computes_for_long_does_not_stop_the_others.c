// ranks: 4 16
// timeout: 60
// Rank 0 computes and never calls MPI until all others have finished their exchange, which it
// learns from a file: another worker, or a spare one, runs those that would be its neighbours.
#include "world.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    char name[100];
    snprintf(name, sizeof name, "/tmp/thrum.long_computation.%d", (int)getpid());
    MPI_Comm others;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &others);
    if (rank == 0) {
        struct stat status;
        volatile double sum = 0;
        do
            for (int i = 0; i < 100000; ++i)
                sum += i;
        while (stat(name, &status) != 0);
        CHECK_EQUAL(unlink(name), 0);
    } else {
        for (int round = 0; round < 200; ++round)
            MPI_Barrier(others);
        if (rank == 1)
            CHECK(fclose(fopen(name, "w")) == 0);
    }
    MPI_Comm_free(&others);
    return finish();
}

// Two ranks write to one variable of rank 0, whose address it has sent. Nothing orders them.
#define _DEFAULT_SOURCE
#include "check.h"

#include <unistd.h>

static int shared;

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *target = &shared;
    MPI_Bcast(&target, sizeof target, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 100; ++i) { // for long enough that both are at it at once
        ++*target;
        usleep(1000);
    }
    MPI_Finalize();
    return 0;
}

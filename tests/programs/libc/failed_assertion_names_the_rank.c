// ranks: 3
// exit: 134
// expect: rank 1: .*failed_assertion_names_the_rank.c:[0-9]+: main: Assertion `rank != 1' failed
// expect: printed before
#undef NDEBUG
#include "check.h"

#include <assert.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        printf("printed before\n");
    assert(rank != 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

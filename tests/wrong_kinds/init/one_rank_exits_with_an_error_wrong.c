// Rank 1 calls exit() on an error while the others wait.
// ranks: 3
// exit: 3
// expect: rank 1 ended with exit code 3 without calling MPI_Finalize
#include <mpi.h>

#include <stdlib.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int failed = rank == 1;
    if (failed)
        exit(3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

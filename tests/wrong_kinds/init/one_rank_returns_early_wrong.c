// Rank 1 has nothing to do and returns.
// ranks: 3
// exit: 1
// expect: rank 1 ended with exit code 0 without calling MPI_Finalize
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        return 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

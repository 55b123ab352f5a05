// Rank 0 makes one iteration more than the others.
// ranks: 3
// exit: 16
// expect: ranks disagree on the operation: rank 0 calls MPI_Barrier, rank [12].*wrong\.c:(13|14)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int iterations = rank == 0 ? 4 : 3;
    for (int i = 0; i < iterations; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

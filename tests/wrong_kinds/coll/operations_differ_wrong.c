// Rank 0 broadcasts while the others are in a barrier.
// ranks: 3
// exit: 16
// expect: ranks disagree on the operation: rank 0 calls MPI_Bcast, rank [12].*wrong\.c:(13|14)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    if (rank != 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

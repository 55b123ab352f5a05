// The root broadcasts, the other rank reduces to it: neither waits for the other.
// ranks: 2
// exit: 16
// expect: ranks disagree on the operation: rank 0 calls MPI_Bcast, rank 1 calls MPI_Reduce .*wrong\.c:1[57]
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    // The other rank calls MPI_Reduce.
    if (rank == 0)
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// Only the root calls MPI_Reduce.
// ranks: 3
// exit: 16
// expect: ranks disagree on the operation: rank 0 calls MPI_Reduce, rank [12].*wrong\.c:(13|14)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, sum = 0;
    if (rank == 0)
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

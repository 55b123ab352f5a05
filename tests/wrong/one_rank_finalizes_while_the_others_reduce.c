// A rank that ends too early is told from one that calls another collective operation.
// ranks: 4
// exit: nonzero
// expect: the operation: rank [0-3] calls MPI_(Finalize|Allreduce), rank [0-3] calls MPI_(Finalize|Allreduce)
// expect-not: creation
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, sum = 0, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 2)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Finalize();
}

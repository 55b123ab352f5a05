// A rank ends too early, while the others are in a collective operation.
// ranks: 4
// exit: 86
// expect: DEADLOCK
// expect: ranks 0,1,3: MPI_Allreduce on MPI_COMM_WORLD, at .*; missing: rank 2
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

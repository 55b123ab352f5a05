// Only the root calls MPI_Reduce.
// ranks: 3
// exit: 86
// expect: rank 0: MPI_Reduce on MPI_COMM_WORLD, at .*wrong\.c:14 in main; missing: ranks 1,2
// expect: ranks 1,2: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:15 in main; missing: rank 0
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

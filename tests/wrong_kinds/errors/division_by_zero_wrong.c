// Rank 0 divides by zero.
// ranks: 2
// exit: 136
// expect: rank 0: integer division by zero in main \(.*wrong\.c:12\)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    volatile int divisor = rank, quotient = 10;
    quotient /= divisor;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

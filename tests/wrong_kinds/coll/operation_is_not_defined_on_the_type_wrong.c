// Bitwise and is not defined on floating-point numbers.
// ranks: 2
// exit: 10
// expect: rank [0-9]+: MPI_Allreduce: MPI_ERR_OP: MPI_BAND is not defined on.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double value = rank, result;
    MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

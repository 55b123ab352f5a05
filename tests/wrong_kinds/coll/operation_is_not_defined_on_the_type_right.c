// It is on integers.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, result;
    MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

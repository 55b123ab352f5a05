// The root gathers the values of all ranks into an array, and the others pass one element.
// ranks: 3
// flags: --check
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, all[3] = {0}, one = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Gather(&rank, 1, MPI_INT, &one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return all[0] * one;
}

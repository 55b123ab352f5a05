// A count may be zero.
// ranks: 3
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, all[3], counts[3] = {1, 0, 1}, places[3] = {0, 1, 2};
    MPI_Gatherv(&value, rank != 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

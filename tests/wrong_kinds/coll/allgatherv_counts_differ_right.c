// It sends what all expect.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine[3] = {rank}, all[3], counts[2] = {1, 2}, places[2] = {0, 1};
    MPI_Allgatherv(mine, rank == 1 ? 2 : 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

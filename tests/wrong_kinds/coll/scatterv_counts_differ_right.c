// Rank 2 expects what the root sends.
// ranks: 3
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all[6] = {0}, mine[3], counts[3] = {1, 2, 3}, places[3] = {0, 1, 3};
    MPI_Scatterv(all, counts, places, MPI_INT, mine, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// Rank 1 sends more than all expect from it.
// ranks: 2
// exit: 15
// expect: rank [0-9,-]+: MPI_Allgatherv: MPI_ERR_TRUNCATE: rank 1 sends 12 bytes, but there is room for 8.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine[3] = {rank}, all[3], counts[2] = {1, 2}, places[2] = {0, 1};
    MPI_Allgatherv(mine, rank == 1 ? 3 : 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

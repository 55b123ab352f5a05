// The root sends more to rank 2 than rank 2 expects.
// ranks: 3
// exit: 15
// expect: rank 2: MPI_Scatterv: MPI_ERR_TRUNCATE: the root sends 12 bytes to rank 2,.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int all[6] = {0}, mine[3], counts[3] = {1, 2, 3}, places[3] = {0, 1, 3};
    MPI_Scatterv(all, counts, places, MPI_INT, mine, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

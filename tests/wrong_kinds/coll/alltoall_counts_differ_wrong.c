// Rank 1 sends two elements to each, the others expect one.
// ranks: 3
// exit: 15
// expect: rank [0-9,-]+: MPI_Alltoall: MPI_ERR_TRUNCATE: rank [0-9,-]+ sends 8 bytes,.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine[6] = {rank}, theirs[6];
    int count = rank == 1 ? 2 : 1;
    MPI_Alltoall(mine, count, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

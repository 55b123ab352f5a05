// The root broadcasts more than the others expect.
// ranks: 2
// exit: 15
// expect: rank 1: MPI_Bcast: MPI_ERR_TRUNCATE: the root sends 32 bytes, but there is.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[8] = {rank};
    MPI_Bcast(values, rank == 0 ? 8 : 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

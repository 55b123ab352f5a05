// The send count of MPI_Scatter is that of one rank, not of all.
// ranks: 3
// exit: 15
// expect: rank [0-9]+: MPI_Scatter: MPI_ERR_TRUNCATE: the root sends 12 bytes to.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int all[9] = {0}, value;
    MPI_Scatter(all, size, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

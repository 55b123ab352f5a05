// The root is counted from 1.
// ranks: 3
// exit: 8
// expect: rank [0-9]+: MPI_Bcast: MPI_ERR_ROOT: root is 3, but MPI_COMM_WORLD has 3.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

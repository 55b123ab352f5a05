// MPI_IN_PLACE is for the root of MPI_Reduce only.
// ranks: 3
// exit: 1
// expect: rank [0-9]+: MPI_Reduce: MPI_ERR_BUFFER: sendbuf is MPI_IN_PLACE, which may.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Reduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

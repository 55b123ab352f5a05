// The root has not allocated its receive buffer.
// ranks: 3
// exit: 1
// expect: rank [0-9]+: MPI_Gather: MPI_ERR_BUFFER: recvbuf is a null pointer \(or.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, *all = NULL;
    MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

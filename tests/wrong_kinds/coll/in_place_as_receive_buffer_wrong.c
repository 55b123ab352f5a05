// MPI_IN_PLACE stands for the send buffer of MPI_Allreduce.
// ranks: 3
// exit: 1
// expect: rank [0-9]+: MPI_Allreduce: MPI_ERR_BUFFER: recvbuf is MPI_IN_PLACE, which.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Allreduce(&value, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

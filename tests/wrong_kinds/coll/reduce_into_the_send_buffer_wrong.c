// The send buffer is the receive buffer.
// ranks: 3
// expect: warning: rank [0-9]+: MPI_Allreduce: sendbuf and recvbuf overlap: pass.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Allreduce(&value, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// The receiver has room for 10 integers, the message has 20.
// ranks: 2
// exit: 15
// expect: rank 1: MPI_Recv: MPI_ERR_TRUNCATE: the message from rank 0.*wrong\.c:13.*wrong\.c:15
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[40] = {0};
    if (rank == 0)
        MPI_Send(data, 20, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

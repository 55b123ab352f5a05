// The receiver has room for more than it gets.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[40] = {0};
    if (rank == 0)
        MPI_Send(data, 20, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(data, 40, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

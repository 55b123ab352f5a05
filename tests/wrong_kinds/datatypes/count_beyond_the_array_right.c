// A rank receives into an array that is as long as count.
// ranks: 2
// flags: --check
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, values[16] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(values, 8, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

// A barrier after the first receive makes the message of rank 2 the second.
// ranks: 3
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, count = 0;
    float part = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Send(&count, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&count, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Send(&part, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&part, 1, MPI_FLOAT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

// Both use the duplicate.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    MPI_Comm library;
    MPI_Comm_dup(MPI_COMM_WORLD, &library);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 0, library);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 0, library, MPI_STATUS_IGNORE);
    MPI_Comm_free(&library);
    MPI_Finalize();
    return 0;
}

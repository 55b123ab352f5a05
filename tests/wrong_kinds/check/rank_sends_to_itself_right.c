// A rank posts the receive before it sends to itself.
// ranks: 2
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank, other;
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(&other, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Send(&mine, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

// All messages are received; which comes first does not matter.
// ranks: 3
// options: --check
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request request;
    if (rank != 0)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; i < size && rank == 0; ++i) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

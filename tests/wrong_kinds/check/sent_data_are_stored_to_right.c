// It reads it, and stores beside it.
// ranks: 2
// flags: --check
// env: THRUM_CHECK=1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static int data[1000];
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(data, 500, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        data[500] = data[499];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 500, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

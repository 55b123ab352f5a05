// A copy of the handle is waited for after the request is complete.
// ranks: 2
// exit: 7
// expect: rank [0-9,-]+: MPI_Wait: MPI_ERR_REQUEST: request is not a pending request.*wrong\.c:17
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, got;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Request copy = request;
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

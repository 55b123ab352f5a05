// A partition is marked as ready before the request is started.
// ranks: 2
// exit: 7
// expect: rank 0: MPI_Pready: MPI_ERR_REQUEST: request is a partitioned send that has.*wrong\.c:15
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[1] = {1};
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(data, 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Pready(0, request);
        MPI_Start(&request);
    } else {
        MPI_Precv_init(data, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

// MPI_REQUEST_NULL cannot be freed.
// ranks: 1
// exit: 7
// expect: rank 0: MPI_Request_free: MPI_ERR_REQUEST: request is MPI_REQUEST_NULL.*wrong\.c:15
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Request request;
    MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Request_free(&request);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

// A request of static storage is zero, which is not MPI_REQUEST_NULL.
// ranks: 1
// exit: 7
// expect: rank 0: MPI_Wait: MPI_ERR_REQUEST: request is not a pending request.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    static MPI_Request request;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

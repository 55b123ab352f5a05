// The number of requests is negative.
// ranks: 1
// exit: 2
// expect: rank 0: MPI_Waitall: MPI_ERR_COUNT: count is -1, but must not be negative.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Request requests[1] = {MPI_REQUEST_NULL};
    MPI_Waitall(-1, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}

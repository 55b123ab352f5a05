// Without requests nothing is waited for.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Request requests[1] = {MPI_REQUEST_NULL};
    MPI_Waitall(0, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}

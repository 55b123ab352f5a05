// Collective operations cannot be cancelled.
// ranks: 2
// exit: 7
// expect: rank [0-9]+: MPI_Cancel: MPI_ERR_REQUEST: the request is of MPI_Ibarrier,.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

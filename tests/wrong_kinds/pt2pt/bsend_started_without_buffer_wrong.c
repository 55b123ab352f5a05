// A persistent buffered send needs an attached buffer, even if its receiver waits already.
// ranks: 2
// exit: 1
// expect: rank 0: MPI_Start: MPI_ERR_BUFFER: a buffered send of 4 bytes, but no.*wrong\.c:21
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    MPI_Request request;
    if (rank == 0)
        MPI_Bsend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Start(&request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

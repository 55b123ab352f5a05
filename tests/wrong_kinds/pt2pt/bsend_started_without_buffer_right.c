// A persistent buffered send has a buffer when it is started.
// ranks: 2
// expect-not: thrum:
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
    static char buffer[4 + MPI_BSEND_OVERHEAD];
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (rank == 0)
        MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    int size;
    void *address;
    MPI_Buffer_detach(&address, &size);
    MPI_Finalize();
    return 0;
}

// The program writes to the receive buffer when the receive is complete, by whichever call says so.
// ranks: 2
// env: THRUM_CHECK=1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, done = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[2] = {1, 2};
    MPI_Request request;
    if (rank == 0) {
        MPI_Send(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(data, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        data[0] = 7;
        MPI_Irecv(data, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        while (!done)
            MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
        data[1] = 7;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

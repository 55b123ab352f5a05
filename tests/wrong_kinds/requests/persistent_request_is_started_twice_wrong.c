// A persistent request is started while it is active.
// ranks: 2
// exit: 7
// expect: rank [01]: MPI_Start: MPI_ERR_REQUEST: the persistent request is already.*wrong\.c:15
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, other = 1 - rank;
    MPI_Request request;
    MPI_Recv_init(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; ++i) {
        MPI_Start(&request);
        MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

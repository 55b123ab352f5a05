// A persistent ready send is started after its receive is posted.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    MPI_Request request = MPI_REQUEST_NULL, receive = MPI_REQUEST_NULL;
    if (rank == 1)
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &receive);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Rsend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

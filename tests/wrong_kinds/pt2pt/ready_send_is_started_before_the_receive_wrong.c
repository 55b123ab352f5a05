// A persistent ready send is started before its receive is posted.
// ranks: 2
// expect: warning: rank 0: MPI_Start: rank 1 has not posted a receive with tag 0: a.*wrong\.c:15
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    MPI_Request request = MPI_REQUEST_NULL, receive = MPI_REQUEST_NULL;
    if (rank == 0) {
        MPI_Rsend_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        // The receive comes after the barrier.
        MPI_Start(&request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

// The send buffer is changed before the request is complete.
// ranks: 2
// env: THRUM_CHECK=1
// expect: warning: rank 0: MPI_Wait: the send buffer of MPI_Isend was changed.*wrong\.c:15.*wrong\.c:17
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static int data[10];
    MPI_Request request;
    if (rank == 0) {
        data[3] = 1;
        MPI_Isend(data, 10, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        data[3] = 2;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 10, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

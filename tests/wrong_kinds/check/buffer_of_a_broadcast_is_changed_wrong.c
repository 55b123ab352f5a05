// The root changes the buffer of a non-blocking broadcast.
// ranks: 3
// env: THRUM_CHECK=1
// expect: warning: rank 0: MPI_Wait: the send buffer of MPI_Ibcast was changed.*wrong\.c:13.*wrong\.c:16
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 5;
    MPI_Request request;
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    if (rank == 0)
        value = 6;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

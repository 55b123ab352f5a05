// The program writes to the receive buffer before and after the message has come.
// ranks: 2
// env: THRUM_CHECK=1
// modes: fibers-1 fibers-2 os-threads
// expect: warning: rank 1: MPI_Wait: the receive buffer of MPI_Irecv was changed.*wrong\.c:21.*wrong\.c:24
// expect: warning: rank 1: MPI_Waitall: the receive buffer of MPI_Irecv was changed.*wrong\.c:25.*wrong\.c:28
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[2] = {1, 2};
    MPI_Request request;
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(data, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(data, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        data[0] = 7;
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Irecv(data, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        data[1] = 7;
        MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

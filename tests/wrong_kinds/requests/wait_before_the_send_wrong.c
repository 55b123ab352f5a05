// Both ranks wait for their receives before they send.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: ranks 0,1: MPI_Wait, to receive from each other, tag 0, MPI_COMM_WORLD, at.*wrong\.c:16
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got;
    MPI_Request request;
    MPI_Irecv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// Of two receives one never gets a message.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: ranks 0,1: MPI_Waitall \(rank 0: for 1 request: receive from rank 1, tag 1,.*wrong\.c:18
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got[2], other = 1 - rank;
    MPI_Request requests[2];
    for (int tag = 0; tag < 2; ++tag)
        MPI_Irecv(&got[tag], 1, MPI_INT, other, tag, MPI_COMM_WORLD, &requests[tag]);
    MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}

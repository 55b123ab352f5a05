// Both ranks send a large message before they receive: no MPI buffers so much.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: ranks 0,1: MPI_Send of 1600000 bytes to each other, tag 0, MPI_COMM_WORLD,.*wrong\.c:17
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
// expect: rank 0 has an unmatched message from rank 1 with tag 0 on MPI_COMM_WORLD
// expect: rank 1 has an unmatched message from rank 0 with tag 0 on MPI_COMM_WORLD
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static double mine[200000], theirs[200000];
    int other = 1 - rank;
    MPI_Send(mine, 200000, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Recv(theirs, 200000, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

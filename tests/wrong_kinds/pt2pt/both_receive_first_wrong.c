// Both ranks receive before they send.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: ranks 0,1: MPI_Recv from each other, tag 0, MPI_COMM_WORLD, at .*wrong\.c:14 in main
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank, mine = rank, got;
    MPI_Recv(&got, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

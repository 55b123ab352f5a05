// Both ranks send before they receive: right only while the messages are buffered.
// ranks: 2
// options: --check
// expect: thrum: warning: ranks wait for each other if messages are not buffered:
// expect: ranks 0,1: MPI_Send of 4 bytes to each other, tag 0, MPI_COMM_WORLD, at .*_wrong\.c:16 in main
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
// expect-not: DEADLOCK
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank, other = 0;
    for (int i = 0; i < 3; ++i) {
        MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
        MPI_Recv(&other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

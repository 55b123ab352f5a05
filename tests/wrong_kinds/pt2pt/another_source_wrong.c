// Rank 2 expects the message from rank 1, but rank 0 sends it.
// ranks: 3
// exit: 86
// expect: DEADLOCK: all 3 ranks are blocked and no message can arrive
// expect: ranks 0,1: MPI_Barrier on MPI_COMM_WORLD, at .*wrong\.c:20 in main; missing: rank 2
// expect: rank 2: MPI_Recv from rank 1, tag 0, MPI_COMM_WORLD, at .*wrong\.c:19 in main
// expect: 2 ranks wait for each other in a cycle: 2 -> 1 -> 2
// expect: rank 2 has an unmatched message from rank 0 with tag 0 on MPI_COMM_WORLD
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

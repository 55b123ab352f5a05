// The message is sent on a duplicate of the communicator on which it is received.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: rank 0: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:23 in main; missing: rank 1
// expect: rank 1: MPI_Recv from rank 0, tag 0, MPI_COMM_WORLD, at .*wrong\.c:21 in main
// expect: rank 1 has an unmatched message from rank 0 with tag 0 on a communicator of 2 ranks
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    MPI_Comm library;
    MPI_Comm_dup(MPI_COMM_WORLD, &library);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 0, library);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&library);
    MPI_Finalize();
    return 0;
}

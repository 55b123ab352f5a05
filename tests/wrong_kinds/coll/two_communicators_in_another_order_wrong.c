// The ranks use two communicators in different orders.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: rank 0: MPI_Barrier on MPI_COMM_WORLD, at .*wrong\.c:16 in main; missing: rank 1
// expect: rank 1: MPI_Barrier on a communicator of 2 ranks, at.*wrong\.c:16
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Barrier(rank == 0 ? MPI_COMM_WORLD : other);
    MPI_Barrier(rank == 0 ? other : MPI_COMM_WORLD);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}

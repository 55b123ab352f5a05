// Rank 0 receives from itself before it sends to itself.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: rank 0: MPI_Recv from rank 0, tag 0, MPI_COMM_WORLD, at .*wrong\.c:16 in main
// expect: rank 1: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:19 in main; missing: rank 0
// expect: rank 0 waits for itself
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, got;
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

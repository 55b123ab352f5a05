// Rank 2 does not start the operation.
// ranks: 3
// exit: 86
// expect: DEADLOCK: all 3 ranks are blocked and no message can arrive
// expect: ranks 0,1: MPI_Wait for MPI_Iallreduce on MPI_COMM_WORLD, at.*wrong\.c:17
// expect: rank 2: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:18 in main; missing: ranks 0,1
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, sum;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank != 2)
        MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

// A blocking barrier does not match a non-blocking one.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: rank 0: MPI_Wait for MPI_Ibarrier on MPI_COMM_WORLD, at.*wrong\.c:18
// expect: rank 1: MPI_Barrier on MPI_COMM_WORLD, at .*wrong\.c:17 in main; missing: rank 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0)
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

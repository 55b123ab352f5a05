// One rank initializes the persistent broadcast before the barrier, the other one after it.
// ranks: 2
// expect: warning: rank [01]: MPI_Bcast_init: ranks disagree on the order of calls: rank 1 calls
// expect: rank 0 calls MPI_Bcast_init first \(rank 0: .*wrong\.c:14 in main; rank 1: .*wrong\.c:17
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Request request;
    if (rank == 0)
        MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

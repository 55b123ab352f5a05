// All but rank 2 are in a barrier; rank 2 waits for a request that nobody serves.
// MPI 5.0 section 6.3: MPI_BARRIER "blocks the caller until all group members have called it".
// exit: 86
// expect: ranks 0,1,3: MPI_Barrier on MPI_COMM_WORLD, at .*one_rank_misses_the_barrier.c:20 in main; missing: rank 2
// expect: rank 2: MPI_Waitall for 2 requests: receive from rank 0, tag 1, MPI_COMM_WORLD; receive
// expect: receive from any source, tag 2, MPI_COMM_WORLD, at .*one_rank_misses_the_barrier.c:18 in main
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value[2];
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Irecv(&value[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&value[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

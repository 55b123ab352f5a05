// Both messages are sent.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int got[2], other = 1 - rank;
    MPI_Request requests[2];
    for (int tag = 0; tag < 2; ++tag)
        MPI_Irecv(&got[tag], 1, MPI_INT, other, tag, MPI_COMM_WORLD, &requests[tag]);
    MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}

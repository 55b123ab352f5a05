// Each has its own variable.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[3] = {1, 2, 3}, other = 1 - rank, got;
    MPI_Request requests[3];
    for (int i = 0; i < 3; ++i)
        MPI_Isend(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 3; ++i)
        MPI_Recv(&got, 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}

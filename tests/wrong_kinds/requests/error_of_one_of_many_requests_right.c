// The receives are long enough.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[2][10] = {{0}};
    MPI_Request requests[2];
    if (rank == 0)
        for (int tag = 0; tag < 2; ++tag)
            MPI_Send(data[tag], 10, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Irecv(data[0], 10, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(data[1], 10, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

// The ranks start two operations in different orders.
// ranks: 2
// exit: 16
// expect: rank [01]: MPI_Waitall: MPI_ERR_OTHER: number [01]: ranks disagree on the operation:
// expect: rank 0 calls MPI_I(bcast|barrier), rank 1 calls MPI_I(barrier|bcast).*wrong\.c:20
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Request requests[2];
    MPI_Request *first = &requests[rank];
    if (rank == 1)
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, first);
    if (rank == 0)
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}

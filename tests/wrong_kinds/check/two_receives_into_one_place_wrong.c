// The last element of one receive is the first of the other.
// ranks: 2
// env: THRUM_CHECK=1
// expect: warning: rank 0: MPI_Irecv: writes to the receive buffer of MPI_Irecv, .*wrong\.c:14.*wrong\.c:15
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[5] = {0};
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Irecv(values, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, requests);
        MPI_Irecv(values + 2, 3, MPI_INT, 1, 1, MPI_COMM_WORLD, requests + 1);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(values, 3, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(values, 3, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

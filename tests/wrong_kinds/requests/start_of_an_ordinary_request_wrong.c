// MPI_Start is for persistent requests only.
// ranks: 2
// exit: 7
// expect: rank [0-9]+: MPI_Start: MPI_ERR_REQUEST: the request is not persistent: it.*wrong\.c:14
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, other = 1 - rank;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

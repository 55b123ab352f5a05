// All ranks sum integers.
// ranks: 3
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int mine = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Request request;
    MPI_Iscan(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

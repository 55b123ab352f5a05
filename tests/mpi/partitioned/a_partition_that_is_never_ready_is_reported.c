// MPI 5.0 section 4.2.3: "Once a partitioned send operation is started, each partition must be
// marked as ready using MPI_PREADY and the operation must be completed using a completion function,
// such as MPI_TEST or MPI_WAIT.": if one is not, the ranks that wait are named.
// ranks: 2
// exit: nonzero
// expect: DEADLOCK
// expect: rank 1: MPI_Wait
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int values[2];
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(values, 2, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(1, request);
    } else {
        MPI_Precv_init(values, 2, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return finish();
}

// MPI 5.0 section 8.6: "All of these functions are collective; i.e., they must be called by all MPI
// processes in the specified communicator.": if one does not, the report says which.
// ranks: 4
// exit: nonzero
// expect: DEADLOCK
// expect: MPI_Neighbor_allgather
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[1] = {size}, periods[1] = {1}, values[2];
    MPI_Comm ring = new_grid(1, dims, periods);
    if (rank == 2)
        MPI_Recv(values, 1, MPI_INT, 1, 5, ring, MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, ring);
    return finish();
}

// MPI 5.0 section 8.6: "All of these functions are collective; i.e., they must be called by all MPI
// processes in the specified communicator.": if one does not, the report says which.
// ranks: 7
// exit: nonzero
// expect: DEADLOCK: all 7 ranks are blocked
// expect: ranks 0,1,3-6: MPI_Neighbor_allgather on "ring" .7 ranks., at .*a_neighbour_that.*; missing: rank 2$
// expect: rank 2: MPI_Wait for MPI_Ineighbor_alltoall on "twin" .7 ranks., at .*; missing: ranks 1,3$
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[1] = {size}, periods[1] = {1}, values[2], sent[2] = {0};
    MPI_Comm ring = new_grid(1, dims, periods), twin;
    MPI_Comm_dup(ring, &twin);
    MPI_Comm_set_name(ring, "ring");
    if (rank == 2) {
        MPI_Request request;
        MPI_Comm_set_name(twin, "twin");
        MPI_Ineighbor_alltoall(sent, 1, MPI_INT, values, 1, MPI_INT, twin, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < size; ++i) // the others come as far as they can without it
        MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, ring);
    return finish();
}

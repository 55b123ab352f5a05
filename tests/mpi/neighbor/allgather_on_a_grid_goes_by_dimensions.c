// MPI 5.0 section 8.6: "For a Cartesian topology, created with MPI_CART_CREATE, the sequence of
// neighbors in the send and receive buffers at each MPI process is defined by the order of the
// dimensions, first the neighbor in the negative direction and then in the positive direction with
// displacement 1."
// ranks: 24 27
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[3] = {0, 0, 0}, periods[3] = {1, 1, 1}, neighbours[6], values[6];
    MPI_Dims_create(size, 3, dims);
    MPI_Comm grid = new_grid(3, dims, periods);
    grid_neighbours(grid, 3, neighbours);
    CHECK_SUCCESS(MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, grid));
    for (int i = 0; i < 6; ++i)
        CHECK_EQUAL(values[i], neighbours[i]);
    MPI_Comm_free(&grid);
    return finish();
}

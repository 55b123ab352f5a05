// MPI 5.0 section 8.6.2: "For a Cartesian topology, if the grid in a direction d is periodic and
// dims[d] is equal to 1 or 2, then rank_source and rank_dest are identical, but still all ndims
// send and ndims receive operations use different buffers.": what goes in the negative direction is
// received from the positive one.
// ranks: 1 2 4 8
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[4] = {1, 1, 1, 1}, periods[4] = {1, 1, 1, 1}, left = size, neighbours[8];
    for (int d = 3; left > 1; --d, left /= 2)
        dims[d] = 2;
    MPI_Comm grid = new_grid(4, dims, periods);
    grid_neighbours(grid, 4, neighbours);
    int send[8], receive[8], again[8];
    for (int i = 0; i < 8; ++i)
        send[i] = datum(rank, i);
    MPI_Request request;
    CHECK_SUCCESS(MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, grid));
    CHECK_SUCCESS(MPI_Ineighbor_alltoall(send, 1, MPI_INT, again, 1, MPI_INT, grid, &request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < 8; ++i) {
        CHECK_EQUAL(neighbours[i], neighbours[i ^ 1]);
        CHECK_EQUAL(receive[i], datum(neighbours[i], i ^ 1));
        CHECK_EQUAL(again[i], receive[i]);
    }
    MPI_Comm_free(&grid);
    return finish();
}

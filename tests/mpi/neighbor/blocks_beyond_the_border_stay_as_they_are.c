// MPI 5.0 section 8.6: "If a neighbor in any of the functions is MPI_PROC_NULL, then the
// neighborhood collective communication behaves like a point-to-point communication with
// MPI_PROC_NULL in this direction. That is, the buffer is still part of the sequence of neighbors
// but it is neither communicated nor updated."
// ranks: 1 2 12
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[2] = {0, 0}, periods[2] = {0, 0}, neighbours[4];
    MPI_Dims_create(size, 2, dims);
    MPI_Comm grid = new_grid(2, dims, periods);
    grid_neighbours(grid, 2, neighbours);
    int gathered[4] = {-1, -1, -1, -1}, received[4] = {-1, -1, -1, -1}, send[4];
    for (int i = 0; i < 4; ++i)
        send[i] = datum(rank, i);
    CHECK_SUCCESS(MPI_Neighbor_allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, grid));
    CHECK_SUCCESS(MPI_Neighbor_alltoall(send, 1, MPI_INT, received, 1, MPI_INT, grid));
    for (int i = 0; i < 4; ++i) {
        int none = neighbours[i] == MPI_PROC_NULL;
        CHECK_EQUAL(gathered[i], none ? -1 : neighbours[i]);
        CHECK_EQUAL(received[i], none ? -1 : datum(neighbours[i], i ^ 1));
    }
    MPI_Comm_free(&grid);
    return finish();
}

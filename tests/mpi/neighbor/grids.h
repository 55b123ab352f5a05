// For tests of neighbourhood collectives on Cartesian communicators.
#ifndef THRUM_TESTS_GRIDS_H
#define THRUM_TESTS_GRIDS_H
#include "world.h"

static inline MPI_Comm new_grid(int ndims, const int *dims, const int *periods) {
    MPI_Comm grid;
    CHECK_SUCCESS(MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 0, &grid));
    return grid;
}

// The neighbours in the order of the buffers: negative and positive direction of each dimension.
static inline void grid_neighbours(MPI_Comm grid, int ndims, int *neighbours) {
    for (int d = 0; d < ndims; ++d)
        CHECK_SUCCESS(MPI_Cart_shift(grid, d, 1, &neighbours[2 * d], &neighbours[2 * d + 1]));
}

// Returns the value that `from` sends in its block `slot`.
static inline int datum(int from, int slot) {
    return 1000 * from + slot;
}

// A directed graph in which every rank has an edge to itself, two to its right neighbour and one to
// the rank after that, given by the ranks themselves.
static inline MPI_Comm new_braid(void) {
    int in[4] = {(rank + 2 * size - 2) % size, (rank + size - 1) % size, rank,
                 (rank + size - 1) % size};
    int out[4] = {(rank + 1) % size, rank, (rank + 1) % size, (rank + 2) % size};
    MPI_Comm braid;
    CHECK_SUCCESS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, in, MPI_UNWEIGHTED, 4, out,
                                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &braid));
    return braid;
}

// Number of the block that `to` receives as its block `slot` among the blocks of its sender, by the
// order of edges between the two; `sender` becomes that rank.
static inline int braid_slot(int to, int slot, int *sender) {
    int in[4] = {(to + 2 * size - 2) % size, (to + size - 1) % size, to, (to + size - 1) % size};
    int from = in[slot], earlier = 0;
    for (int i = 0; i < slot; ++i)
        earlier += in[i] == from;
    int out[4] = {(from + 1) % size, from, (from + 1) % size, (from + 2) % size};
    *sender = from;
    for (int i = 0; i < 4; ++i)
        if (out[i] == to && earlier-- == 0)
            return i;
    return -1;
}
#endif

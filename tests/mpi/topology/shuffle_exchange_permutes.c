// MPI 5.0 section 8.5.5, Example "Using a communicator with an associated graph topology that
// represents a shuffle-exchange network.": "The following code fragment cycles through the three
// types of neighbors and performs an appropriate permutation for each."
// ranks: 8
#include "world.h"

static int shuffle(int node) {
    return (node << 1 & 7) | node >> 2;
}

static int unshuffle(int node) {
    return node >> 1 | (node & 1) << 2;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int index[8], edges[24], neighbors[3];
    for (int node = 0; node < 8; ++node) {
        index[node] = 3 * node + 3;
        edges[3 * node] = node ^ 1;
        edges[3 * node + 1] = shuffle(node);
        edges[3 * node + 2] = unshuffle(node);
    }
    MPI_Comm comm;
    MPI_Graph_create(MPI_COMM_WORLD, 8, index, edges, 0, &comm);
    MPI_Graph_neighbors(comm, rank, 3, neighbors);
    double a = rank;
    MPI_Sendrecv_replace(&a, 1, MPI_DOUBLE, neighbors[0], 0, neighbors[0], 0, comm,
                         MPI_STATUS_IGNORE);
    CHECK_EQUAL(a, rank ^ 1);
    MPI_Sendrecv_replace(&a, 1, MPI_DOUBLE, neighbors[1], 0, neighbors[2], 0, comm,
                         MPI_STATUS_IGNORE);
    CHECK_EQUAL(a, unshuffle(rank) ^ 1);
    MPI_Sendrecv_replace(&a, 1, MPI_DOUBLE, neighbors[2], 0, neighbors[1], 0, comm,
                         MPI_STATUS_IGNORE);
    CHECK_EQUAL(a, rank ^ 1);
    MPI_Comm_free(&comm);
    return finish();
}

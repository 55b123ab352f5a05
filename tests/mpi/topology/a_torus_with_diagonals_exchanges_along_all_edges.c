// MPI 5.0 section 8.5.4, Example "Cartesian grid plus diagonals specified with
// MPI_DIST_GRAPH_CREATE.": "A two-dimensional P × Q torus where all MPI processes communicate along
// the dimensions and along the diagonal edges cannot be modeled with Cartesian topologies, but can
// easily be captured with MPI_DIST_GRAPH_CREATE".
// ranks: 12 20
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int P = 4, Q = size / 4, x, y;
    int sources[1], degrees[1], destinations[8], weights[8];
    MPI_Comm comm_dist_graph;
    y = rank / P;
    x = rank % P;
    destinations[0] = P * y + (x + 1) % P;
    destinations[1] = P * y + (P + x - 1) % P;
    destinations[2] = P * ((y + 1) % Q) + x;
    destinations[3] = P * ((Q + y - 1) % Q) + x;
    destinations[4] = P * ((y + 1) % Q) + (x + 1) % P;
    destinations[5] = P * ((Q + y - 1) % Q) + (x + 1) % P;
    destinations[6] = P * ((y + 1) % Q) + (P + x - 1) % P;
    destinations[7] = P * ((Q + y - 1) % Q) + (P + x - 1) % P;
    for (int i = 0; i < 8; ++i)
        weights[i] = i < 4 ? 2 : 1;
    sources[0] = rank;
    degrees[0] = 8;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, sources, degrees, destinations, weights, MPI_INFO_NULL,
                          1, &comm_dist_graph);
    MPI_Comm_rank(comm_dist_graph, &rank);
    int from[8], from_weights[8], to[8], to_weights[8], values[8], in, out, weighted;
    MPI_Dist_graph_neighbors_count(comm_dist_graph, &in, &out, &weighted);
    CHECK(in == 8 && out == 8 && weighted);
    MPI_Dist_graph_neighbors(comm_dist_graph, 8, from, from_weights, 8, to, to_weights);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, comm_dist_graph);
    int sum = 0;
    for (int i = 0; i < 8; ++i) {
        CHECK_EQUAL(values[i], from[i]);
        sum += from_weights[i];
    }
    CHECK_EQUAL(sum, 12);
    MPI_Comm_free(&comm_dist_graph);
    return finish();
}

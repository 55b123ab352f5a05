// MPI 5.0 section 8.5.4: "Every MPI process passes an array of n source nodes in the sources array.
// For each source node, a nonnegative number of destination nodes is specified in the degrees
// array." The example "Several ways to specify the adjacency matrix for MPI_DIST_GRAPH_CREATE and
// MPI_DIST_GRAPH_CREATE_ADJACENT.", all of which describe the same graph.
// ranks: 4
#include "world.h"

static const int degree_of[4] = {2, 1, 1, 2};
static const int neighbours_of[4][2] = {{1, 3}, {0}, {3}, {0, 2}};

static int less(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void check(MPI_Comm graph) {
    int kind, in, out, weighted, sources[2], destinations[2], weights[4], members;
    MPI_Topo_test(graph, &kind);
    CHECK_EQUAL(kind, MPI_DIST_GRAPH);
    MPI_Comm_size(graph, &members);
    CHECK_EQUAL(members, size);
    CHECK_SUCCESS(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK_EQUAL(in, degree_of[rank]);
    CHECK_EQUAL(out, degree_of[rank]);
    CHECK_EQUAL(weighted, 1);
    CHECK_SUCCESS(
        MPI_Dist_graph_neighbors(graph, 2, sources, weights, 2, destinations, weights + 2));
    qsort(sources, (size_t)in, sizeof(int), less);
    qsort(destinations, (size_t)out, sizeof(int), less);
    for (int i = 0; i < in; ++i) {
        CHECK_EQUAL(sources[i], neighbours_of[rank][i]);
        CHECK_EQUAL(destinations[i], neighbours_of[rank][i]);
        CHECK_EQUAL(weights[i], 1);
        CHECK_EQUAL(weights[2 + i], 1);
    }
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int ones[6] = {1, 1, 1, 1, 1, 1};
    MPI_Comm graph;
    // Each process its outgoing edges.
    CHECK_SUCCESS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree_of[rank],
                                        neighbours_of[rank], ones, MPI_INFO_NULL, 0, &graph));
    check(graph);
    // The whole graph on one process.
    int all[4] = {0, 1, 2, 3}, edges[6] = {1, 3, 0, 3, 0, 2};
    CHECK_SUCCESS(MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? 4 : 0, all, degree_of, edges,
                                        rank == 0 ? ones : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 1,
                                        &graph));
    check(graph);
    // Each process the edges of its right neighbour, one by one.
    int other = (rank + 1) % 4, sources[2] = {other, other}, single[2] = {1, 1};
    CHECK_SUCCESS(MPI_Dist_graph_create(MPI_COMM_WORLD, degree_of[other], sources, single,
                                        neighbours_of[other], ones, MPI_INFO_NULL, 0, &graph));
    check(graph);
    // Each process its incoming and outgoing edges.
    CHECK_SUCCESS(MPI_Dist_graph_create_adjacent(
        MPI_COMM_WORLD, degree_of[rank], neighbours_of[rank], ones, degree_of[rank],
        neighbours_of[rank], ones, MPI_INFO_NULL, 0, &graph));
    check(graph);
    return finish();
}

// MPI 5.0 section 8.5.5: "MPI_GRAPH_NEIGHBORS_COUNT and MPI_GRAPH_NEIGHBORS will return values
// based on the original index and edges array passed to MPI_GRAPH_CREATE". The example "Inquiry of
// graph topology information.", with neighbours that are listed several times.
// ranks: 4 7
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int index[4] = {3, 5, 6, 9}, edges[9] = {1, 1, 3, 0, 0, 3, 0, 2, 2};
    for (int reorder = 0; reorder < 2; ++reorder) {
        MPI_Comm graph;
        CHECK_SUCCESS(MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, reorder, &graph));
        // Section 8.5.3: "MPI_COMM_NULL is returned by some MPI processes"
        CHECK_EQUAL(graph == MPI_COMM_NULL, rank >= 4);
        if (graph == MPI_COMM_NULL)
            continue;
        int kind, nodes, edge_count, got_index[4], got_edges[9], count, neighbours[3];
        MPI_Topo_test(graph, &kind);
        CHECK_EQUAL(kind, MPI_GRAPH);
        MPI_Graphdims_get(graph, &nodes, &edge_count);
        CHECK_EQUAL(nodes, 4);
        CHECK_EQUAL(edge_count, 9);
        MPI_Graph_get(graph, 4, 9, got_index, got_edges);
        CHECK(memcmp(got_index, index, sizeof index) == 0);
        CHECK(memcmp(got_edges, edges, sizeof edges) == 0);
        for (int node = 0; node < 4; ++node) {
            int first = node ? index[node - 1] : 0;
            MPI_Graph_neighbors_count(graph, node, &count);
            CHECK_EQUAL(count, index[node] - first);
            MPI_Graph_neighbors(graph, node, 3, neighbours);
            for (int i = 0; i < count; ++i)
                CHECK_EQUAL(neighbours[i], edges[first + i]);
        }
        MPI_Comm_free(&graph);
    }
    return finish();
}

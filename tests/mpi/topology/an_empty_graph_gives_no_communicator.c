// MPI 5.0 section 8.5.3: "If the graph is empty, i.e., nnodes = 0, then MPI_COMM_NULL is returned
// in all MPI processes." A graph without edges is not empty.
// ranks: 1 3
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm graph = MPI_COMM_WORLD;
    CHECK_SUCCESS(MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &graph));
    CHECK(graph == MPI_COMM_NULL);
    int index[3] = {0, 0, 0}, nodes, edges, count;
    CHECK_SUCCESS(MPI_Graph_create(MPI_COMM_WORLD, size, index, NULL, 0, &graph));
    MPI_Graphdims_get(graph, &nodes, &edges);
    CHECK_EQUAL(nodes, size);
    CHECK_EQUAL(edges, 0);
    CHECK_SUCCESS(MPI_Graph_neighbors_count(graph, rank, &count));
    CHECK_EQUAL(count, 0);
    CHECK_SUCCESS(MPI_Graph_neighbors(graph, rank, 0, NULL));
    CHECK_SUCCESS(MPI_Graph_get(graph, 3, 0, index, NULL));
    MPI_Comm_free(&graph);
    return finish();
}

// MPI 5.0 section 8.5.4: "Isolated MPI processes (i.e., MPI processes with no outgoing or incoming
// edges, that is, MPI processes that do not occur as source or destination node in the graph
// specification) are allowed." "If the graph is weighted but n = 0, then MPI_WEIGHTS_EMPTY or any
// arbitrary array may be passed to weights."
// ranks: 3 8
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int source = 0, degree = 1, destination = 1, weight = 9, in, out, weighted;
    MPI_Comm graph;
    CHECK_SUCCESS(MPI_Dist_graph_create(
        MPI_COMM_WORLD, rank == size - 1, &source, &degree, &destination,
        rank == size - 1 ? &weight : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &graph));
    CHECK_SUCCESS(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK_EQUAL(in, rank == 1);
    CHECK_EQUAL(out, rank == 0);
    CHECK_EQUAL(weighted, 1);
    MPI_Comm_free(&graph);
    // Nobody has any edge.
    CHECK_SUCCESS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_UNWEIGHTED, 0, NULL,
                                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph));
    CHECK_SUCCESS(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 0 && out == 0 && !weighted);
    CHECK_SUCCESS(MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &source, 1, MPI_INT, graph));
    MPI_Comm_free(&graph);
    CHECK_SUCCESS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0,
                                                 NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0,
                                                 &graph));
    CHECK_SUCCESS(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == 0 && out == 0 && weighted);
    MPI_Comm_free(&graph);
    return finish();
}

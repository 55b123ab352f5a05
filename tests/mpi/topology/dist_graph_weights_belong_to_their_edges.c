// MPI 5.0 section 8.5.5: "OUT weighted false if MPI_UNWEIGHTED was supplied during creation, true
// otherwise (logical)". "If MPI_UNWEIGHTED is supplied for sourceweights or destweights or both, or
// if MPI_UNWEIGHTED was supplied during the construction of the graph then no weight information is
// returned in that array or those arrays."
// ranks: 1 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    // A complete graph, each edge twice; the weight says which edge it is.
    int *sources = malloc(sizeof(int) * 2 * (size_t)size),
        *all = calloc((size_t)size * 8, sizeof(int));
    int *weights = malloc(sizeof(int) * 2 * (size_t)size), degree = 2 * size, in, out, weighted;
    for (int i = 0; i < degree; ++i) {
        sources[i] = i % size;
        weights[i] = 1000 * rank + 10 * (i % size) + i / size;
    }
    MPI_Comm graph;
    CHECK_SUCCESS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, sources, weights,
                                        MPI_INFO_NULL, 0, &graph));
    CHECK_SUCCESS(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == degree && out == degree && weighted);
    int *from = all, *from_weights = all + degree, *to = all + 2 * degree,
        *to_weights = all + 3 * degree;
    CHECK_SUCCESS(
        MPI_Dist_graph_neighbors(graph, degree, from, from_weights, degree, to, to_weights));
    int seen[2] = {0, 0};
    for (int i = 0; i < degree; ++i) {
        CHECK_EQUAL(from_weights[i] / 1000, from[i]);
        CHECK_EQUAL(from_weights[i] % 1000 / 10, rank);
        CHECK_EQUAL(to_weights[i] / 1000, rank);
        CHECK_EQUAL(to_weights[i] % 1000 / 10, to[i]);
        ++seen[from_weights[i] % 10];
    }
    CHECK(seen[0] == size && seen[1] == size);
    // Weights that are not asked for.
    from_weights[0] = -7;
    CHECK_SUCCESS(
        MPI_Dist_graph_neighbors(graph, degree, from, MPI_UNWEIGHTED, degree, to, MPI_UNWEIGHTED));
    CHECK_EQUAL(from_weights[0], -7);
    MPI_Comm_free(&graph);
    // A graph without weights.
    CHECK_SUCCESS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, sources, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, &graph));
    CHECK_SUCCESS(MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted));
    CHECK(in == degree && out == degree && !weighted);
    from_weights[0] = to_weights[0] = -7;
    CHECK_SUCCESS(
        MPI_Dist_graph_neighbors(graph, degree, from, from_weights, degree, to, to_weights));
    CHECK(from_weights[0] == -7 && to_weights[0] == -7);
    MPI_Comm_free(&graph);
    free(sources);
    free(all);
    free(weights);
    return finish();
}

// MPI 5.0 section 8.5.5: "If maxindegree or maxoutdegree is smaller than the numbers returned by
// MPI_DIST_GRAPH_NEIGHBORS_COUNT, then only the first part of the full list is returned."
// ranks: 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int everybody[5] = {0, 1, 2, 3, 4}, full[4][5], part[4][5];
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &size, everybody, everybody, MPI_INFO_NULL, 0,
                          &graph);
    CHECK_SUCCESS(MPI_Dist_graph_neighbors(graph, 5, full[0], full[1], 5, full[2], full[3]));
    for (int in = 0; in <= 5; ++in)
        for (int out = 0; out <= 5; ++out) {
            memset(part, -1, sizeof part);
            CHECK_SUCCESS(
                MPI_Dist_graph_neighbors(graph, in, part[0], part[1], out, part[2], part[3]));
            for (int i = 0; i < 5; ++i)
                for (int list = 0; list < 4; ++list)
                    CHECK_EQUAL(part[list][i], i < (list < 2 ? in : out) ? full[list][i] : -1);
        }
    MPI_Comm_free(&graph);
    return finish();
}

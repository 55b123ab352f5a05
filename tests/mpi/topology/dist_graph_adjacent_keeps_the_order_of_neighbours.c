// MPI 5.0 section 8.5.5: "If the communicator was created with MPI_DIST_GRAPH_CREATE_ADJACENT then
// for each MPI process in comm, the order of the values in sources and destinations is identical to
// the input that was used by the MPI process with the same rank in comm_old in the creation call."
// ranks: 2 6
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    // Two edges to the right, one to the left, one to itself.
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int sources[4] = {rank, left, right, left}, destinations[4] = {right, right, rank, left};
    int source_weights[4] = {rank, 10, 20, 10}, destination_weights[4] = {10, 10, rank, 20};
    if (size == 2) // both sides are the same process
        for (int i = 0; i < 4; ++i)
            source_weights[i] = destination_weights[i] = 5;
    MPI_Comm graph;
    CHECK_SUCCESS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, sources, source_weights, 4,
                                                 destinations, destination_weights, MPI_INFO_NULL,
                                                 0, &graph));
    int got[4][4];
    for (int again = 0; again < 2; ++again) {
        CHECK_SUCCESS(MPI_Dist_graph_neighbors(graph, 4, got[0], got[1], 4, got[2], got[3]));
        CHECK(memcmp(got[0], sources, sizeof sources) == 0);
        CHECK(memcmp(got[1], source_weights, sizeof sources) == 0);
        CHECK(memcmp(got[2], destinations, sizeof sources) == 0);
        CHECK(memcmp(got[3], destination_weights, sizeof sources) == 0);
    }
    MPI_Comm_free(&graph);
    return finish();
}

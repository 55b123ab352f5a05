// MPI 5.0 section 8.6: "If the graph was created with MPI_DIST_GRAPH_CREATE_ADJACENT with sources
// and destinations containing 0, ..., n-1, where n is the number of MPI processes in the group of
// comm_old (i.e., the graph is fully connected and also includes an edge from each node to itself),
// then the sparse neighborhood communication routine performs the same data exchange as the
// corresponding dense (fully-connected) collective operation."
// ranks: 1 2 7 40
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *all = malloc(sizeof(int) * (size_t)size), *send = malloc(sizeof(int) * (size_t)size);
    int *sparse = malloc(sizeof(int) * (size_t)size), *dense = malloc(sizeof(int) * (size_t)size);
    for (int i = 0; i < size; ++i) {
        all[i] = i;
        send[i] = rank * size + i;
    }
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, size, all, MPI_UNWEIGHTED, size, all,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    CHECK_SUCCESS(MPI_Neighbor_alltoall(send, 1, MPI_INT, sparse, 1, MPI_INT, graph));
    CHECK_SUCCESS(MPI_Alltoall(send, 1, MPI_INT, dense, 1, MPI_INT, graph));
    CHECK(memcmp(sparse, dense, sizeof(int) * (size_t)size) == 0);
    CHECK_SUCCESS(MPI_Neighbor_allgather(&rank, 1, MPI_INT, sparse, 1, MPI_INT, graph));
    CHECK_SUCCESS(MPI_Allgather(&rank, 1, MPI_INT, dense, 1, MPI_INT, graph));
    CHECK(memcmp(sparse, dense, sizeof(int) * (size_t)size) == 0);
    MPI_Comm_free(&graph);
    free(all);
    free(send);
    free(sparse);
    free(dense);
    return finish();
}

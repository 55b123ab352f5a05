// MPI 5.0 section 8.6: "For a general graph topology, created with MPI_GRAPH_CREATE, the use of
// neighborhood collective communication is restricted to adjacency matrices, where the number of
// edges between any two MPI processes is defined to be the same for both MPI processes (i.e., with
// a symmetric adjacency matrix). In this case, the order of neighbors in the send and receive
// buffers is defined as the sequence of neighbors as returned by MPI_GRAPH_NEIGHBORS."
// ranks: 4 6
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    // 0 and 1 are joined twice, 2 has a loop; what is beyond the graph has no communicator.
    int index[4] = {3, 5, 8, 10}, edges[10] = {1, 3, 1, 0, 0, 2, 3, 2, 2, 0};
    index[2] = 7, index[3] = 9;
    int symmetric[9] = {1, 3, 1, 0, 0, 2, 3, 2, 0};
    memcpy(edges, symmetric, sizeof symmetric);
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &graph);
    if (graph != MPI_COMM_NULL) {
        int count, neighbours[3], send[3], receive[3] = {-1, -1, -1};
        MPI_Graph_neighbors_count(graph, rank, &count);
        MPI_Graph_neighbors(graph, rank, 3, neighbours);
        for (int i = 0; i < count; ++i)
            send[i] = datum(rank, i);
        CHECK_SUCCESS(MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, graph));
        // Which of the neighbour's blocks this one is: the n-th edge to it is its n-th to us.
        for (int i = 0; i < count; ++i) {
            int other = neighbours[i], nth = 0, slot = -1;
            for (int k = 0; k < i; ++k)
                nth += neighbours[k] == other;
            for (int k = other ? index[other - 1] : 0; k < index[other] && slot < 0; ++k)
                if (edges[k] == rank && nth-- == 0)
                    slot = k - (other ? index[other - 1] : 0);
            CHECK_EQUAL(receive[i], datum(other, slot));
        }
        MPI_Comm_free(&graph);
    }
    return finish();
}

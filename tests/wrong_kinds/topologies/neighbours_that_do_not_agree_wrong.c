// Rank 0 names rank 1 as source, but rank 1 does not name rank 0 as destination.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: rank 0: MPI_Neighbor_allgather on a communicator of 2 ranks, at.*wrong\.c:17
// expect: rank 1: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:19 in main; missing: rank 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int other = 1 - rank, mine = rank, theirs[1];
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, rank == 0, &other,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}

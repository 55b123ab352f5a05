// MPI 5.0 section 8.1 speaks of intra-communicators only: "A virtual topology is an extra, optional
// attribute that one can give to an intra-communicator; virtual topologies cannot be added to
// inter-communicators."
// ranks: 4
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    TwoGroups groups = split_in_two_groups();
    int one = 1, kind, neighbour = 0;
    MPI_Comm made;
    CHECK_SUCCESS(MPI_Topo_test(groups.inter, &kind));
    CHECK_EQUAL(kind, MPI_UNDEFINED);
    CHECK_ERROR(MPI_Cart_create(groups.inter, 1, &one, &one, 0, &made), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Graph_create(groups.inter, 0, NULL, NULL, 0, &made), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Dist_graph_create(groups.inter, 0, NULL, NULL, NULL, MPI_UNWEIGHTED,
                                      MPI_INFO_NULL, 0, &made),
                MPI_ERR_COMM);
    CHECK_ERROR(MPI_Dist_graph_create_adjacent(groups.inter, 1, &neighbour, MPI_UNWEIGHTED, 1,
                                               &neighbour, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
                MPI_ERR_COMM);
    CHECK_ERROR(MPI_Neighbor_allgather(&one, 1, MPI_INT, &kind, 1, MPI_INT, groups.inter),
                MPI_ERR_TOPOLOGY);
    free_two_groups(&groups);
    return finish();
}

// MPI 5.0 section 7.4.2: "MPI_COMM_DUP returns in newcomm a new communicator with the same group or
// groups, same topology, same error handlers and any copied cached information, but a new context".
// For other communicators: "no virtual topology information is added to the created communicators."
// ranks: 6
#include "world.h"

static int kind_of(MPI_Comm comm) {
    int kind;
    CHECK_SUCCESS(MPI_Topo_test(comm, &kind));
    return kind;
}

static void check_duplicates(MPI_Comm comm, int kind) {
    MPI_Comm dup, idup, with_info, second, split, created, typed;
    MPI_Group group;
    MPI_Request requests[2];
    CHECK_EQUAL(kind_of(comm), kind);
    MPI_Comm_dup(comm, &dup);
    MPI_Comm_idup(comm, &idup, &requests[0]);
    MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, &with_info, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK_EQUAL(kind_of(dup), kind);
    CHECK_EQUAL(kind_of(idup), kind);
    CHECK_EQUAL(kind_of(with_info), kind);
    MPI_Comm_dup_with_info(dup, MPI_INFO_NULL, &second);
    MPI_Comm_split(comm, 0, 0, &split);
    MPI_Comm_group(comm, &group);
    MPI_Comm_create(comm, group, &created);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &typed);
    CHECK_EQUAL(kind_of(split), MPI_UNDEFINED);
    CHECK_EQUAL(kind_of(created), MPI_UNDEFINED);
    CHECK_EQUAL(kind_of(typed), MPI_UNDEFINED);
    // The duplicate's topology outlives the original's.
    MPI_Comm_free(&comm);
    MPI_Comm_free(&dup);
    CHECK_EQUAL(kind_of(second), kind);
    int ndims, dims[2], periods[2], coords[2], nodes, edges, in, out, weighted;
    if (kind == MPI_CART) {
        MPI_Cartdim_get(second, &ndims);
        MPI_Cart_get(second, 2, dims, periods, coords);
        CHECK(ndims == 2 && dims[0] == 3 && dims[1] == 2 && periods[0] == 1 && periods[1] == 0);
        CHECK_EQUAL(coords[0] * 2 + coords[1], rank);
    } else if (kind == MPI_GRAPH) {
        MPI_Graphdims_get(second, &nodes, &edges);
        CHECK(nodes == 6 && edges == 6);
    } else if (kind == MPI_DIST_GRAPH) {
        MPI_Dist_graph_neighbors_count(second, &in, &out, &weighted);
        CHECK(in == 1 && out == 1 && !weighted);
    }
    MPI_Comm *rest[] = {&idup, &with_info, &second, &split, &created, &typed};
    for (int i = 0; i < 6; ++i)
        MPI_Comm_free(rest[i]);
    MPI_Group_free(&group);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[2] = {3, 2}, periods[2] = {1, 0}, index[6] = {1, 2, 3, 4, 5, 6};
    int edges[6] = {1, 0, 3, 2, 5, 4}, right = (rank + 1) % 6, left = (rank + 5) % 6;
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    check_duplicates(comm, MPI_CART);
    MPI_Graph_create(MPI_COMM_WORLD, 6, index, edges, 0, &comm);
    check_duplicates(comm, MPI_GRAPH);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    check_duplicates(comm, MPI_DIST_GRAPH);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    check_duplicates(comm, MPI_UNDEFINED);
    return finish();
}

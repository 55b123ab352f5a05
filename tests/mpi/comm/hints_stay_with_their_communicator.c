// MPI 5.0 section 7.4.4: "Info hints are not propagated by MPI from one communicator to another."
// "Hints are specified on a per communicator basis, in MPI_COMM_DUP_WITH_INFO,
// MPI_COMM_IDUP_WITH_INFO, MPI_COMM_SET_INFO, MPI_COMM_SPLIT_TYPE, MPI_DIST_GRAPH_CREATE, and
// MPI_DIST_GRAPH_CREATE_ADJACENT, via the opaque info object."
// ranks: 3
#include "world.h"

static int has_hint(MPI_Comm comm) {
    char value[64];
    int length = sizeof value, found;
    MPI_Info used;
    MPI_Comm_get_info(comm, &used);
    MPI_Info_get_string(used, "mpi_assert_exact_length", &length, value, &found);
    MPI_Info_free(&used);
    return found && strcmp(value, "true") == 0;
}

static void check(MPI_Comm comm, int expected) {
    CHECK_EQUAL(has_hint(comm), expected);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Info info;
    MPI_Comm hinted, made;
    MPI_Request request;
    int one = 1, right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_exact_length", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &hinted);
    CHECK_EQUAL(has_hint(hinted), 1);
    CHECK_EQUAL(has_hint(MPI_COMM_WORLD), 0);
    MPI_Comm_dup(hinted, &made);
    check(made, 0);
    MPI_Comm_idup(hinted, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(made, 0);
    MPI_Comm_split(hinted, 0, 0, &made);
    check(made, 0);
    MPI_Cart_create(hinted, 1, &size, &one, 0, &made);
    check(made, 0);
    MPI_Comm_dup_with_info(hinted, MPI_INFO_NULL, &made);
    check(made, 0);
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(made, 1);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, info, &made);
    check(made, 1);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &right, MPI_UNWEIGHTED, info, 0, &made);
    check(made, 1);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right,
                                   MPI_UNWEIGHTED, info, 0, &made);
    check(made, 1);
    MPI_Comm_free(&hinted);
    MPI_Info_free(&info);
    return finish();
}

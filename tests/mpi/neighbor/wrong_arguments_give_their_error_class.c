// MPI 5.0 section 8.6.1: "The ``in place'' option is not meaningful for this operation." "The
// MPI_NEIGHBOR_ALLGATHER procedure supports Cartesian communicators, graph communicators, and
// distributed graph communicators". Classes of section 9.4.
// ranks: 1 3
#include "grids.h"

static int in[16], out[16], counts[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
static int negative[4] = {1, 1, 1, -1};
static MPI_Aint bytes[4] = {0, 4, 8, 12};

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm braid = new_braid(), world = MPI_COMM_WORLD;
    MPI_Comm_set_errhandler(braid, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT}, open;
    MPI_Datatype wrong[4] = {MPI_INT, MPI_INT, MPI_DATATYPE_NULL, MPI_INT};
    MPI_Type_contiguous(2, MPI_INT, &open);
    MPI_Request request;
    CHECK_ERROR(MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, world), MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_NULL),
                MPI_ERR_COMM);
    CHECK_ERROR(MPI_Neighbor_allgather(in, -1, MPI_INT, out, 1, MPI_INT, braid), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Neighbor_allgather(in, 1, MPI_INT, out, -1, MPI_INT, braid), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Neighbor_allgather(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, braid),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Neighbor_allgather(in, 1, MPI_INT, out, 1, open, braid), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, braid),
                MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Neighbor_alltoall(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, braid),
                MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, negative, places, MPI_INT, braid),
                MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Neighbor_allgatherv(in, 1, MPI_INT, out, NULL, places, MPI_INT, braid),
                MPI_ERR_ARG);
    CHECK_ERROR(
        MPI_Neighbor_alltoallv(in, negative, places, MPI_INT, out, counts, places, MPI_INT, braid),
        MPI_ERR_COUNT);
    CHECK_ERROR(
        MPI_Neighbor_alltoallv(in, counts, NULL, MPI_INT, out, counts, places, MPI_INT, braid),
        MPI_ERR_ARG);
    CHECK_ERROR(MPI_Neighbor_alltoallw(in, counts, bytes, wrong, out, counts, bytes, types, braid),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Neighbor_alltoallw(in, counts, bytes, types, out, counts, bytes, NULL, braid),
                MPI_ERR_ARG);
    CHECK_ERROR(MPI_Ineighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, world, &request),
                MPI_ERR_TOPOLOGY);
    CHECK_ERROR(MPI_Ineighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, braid, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Neighbor_alltoallv_init(in, counts, places, MPI_INT, out, negative, places,
                                            MPI_INT, braid, MPI_INFO_NULL, &request),
                MPI_ERR_COUNT);
    // Nothing above has put the ranks out of step, and blocks of no length need no type.
    int none[4] = {0, 0, 0, 0};
    MPI_Datatype nulls[4] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_DATATYPE_NULL,
                             MPI_DATATYPE_NULL};
    CHECK_SUCCESS(MPI_Neighbor_alltoallw(in, none, bytes, nulls, out, none, bytes, nulls, braid));
    CHECK_SUCCESS(MPI_Neighbor_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, braid));
    MPI_Type_free(&open);
    MPI_Comm_free(&braid);
    return finish();
}

// MPI 5.0 section 9.4: "MPI_ERR_COUNT Invalid count argument", "MPI_ERR_TYPE Invalid datatype
// argument", "MPI_ERR_ROOT Invalid root", "MPI_ERR_OP Invalid operation", "MPI_ERR_COMM Invalid
// communicator": of each family and form, one of each kind.
// ranks: 1 4
#include "world.h"

static int in[64], out[64], ones[64], zeros[64];

static void check_handles(void) {
    MPI_Request r;
    MPI_Info none = MPI_INFO_NULL;
    MPI_Comm world = MPI_COMM_WORLD, null = MPI_COMM_NULL;
    CHECK_ERROR(MPI_Ibarrier(null, &r), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Barrier_init(null, none, &r), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Ibcast(in, 1, MPI_INT, 0, null, &r), MPI_ERR_COMM);
    CHECK_ERROR(MPI_Ibarrier(world, NULL), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Ibcast(in, -1, MPI_INT, 0, world, &r), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Bcast_init(in, -1, MPI_INT, 0, world, none, &r), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Ibcast(in, 1, MPI_DATATYPE_NULL, 0, world, &r), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Ibcast(in, 1, MPI_INT, size, world, &r), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Bcast_init(in, 1, MPI_INT, -7, world, none, &r), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Ibcast(MPI_IN_PLACE, 1, MPI_INT, 0, world, &r), MPI_ERR_BUFFER);
}

static void check_gathers(void) {
    MPI_Request r;
    MPI_Info none = MPI_INFO_NULL;
    MPI_Comm world = MPI_COMM_WORLD;
    CHECK_ERROR(MPI_Igather(in, -1, MPI_INT, out, 1, MPI_INT, 0, world, &r), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Igather(in, 1, MPI_INT, out, 1, MPI_INT, size, world, &r), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Iscatter(in, 1, MPI_INT, out, 1, MPI_DATATYPE_NULL, rank, world, &r),
                MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Scatterv_init(in, NULL, zeros, MPI_INT, out, 1, MPI_INT, rank, world, none, &r),
                MPI_ERR_ARG);
    ones[size - 1] = -1;
    CHECK_ERROR(MPI_Igatherv(in, 1, MPI_INT, out, ones, zeros, MPI_INT, rank, world, &r),
                MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Iallgatherv(in, 1, MPI_INT, out, ones, zeros, MPI_INT, world, &r),
                MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Ialltoallv(in, ones, zeros, MPI_INT, out, ones, zeros, MPI_INT, world, &r),
                MPI_ERR_COUNT);
    ones[size - 1] = 1;
    CHECK_ERROR(MPI_Iallgather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, world, &r),
                MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Allgather_init(in, 1, MPI_INT, out, -1, MPI_INT, world, none, &r),
                MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Ialltoall(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_INT, world, &r), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Alltoallw_init(in, ones, zeros, NULL, out, ones, zeros, NULL, world, none, &r),
                MPI_ERR_ARG);
    if (size > 1)
        CHECK_ERROR(
            MPI_Igather(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, (rank + 1) % size, world, &r),
            MPI_ERR_BUFFER);
}

static void check_reductions(void) {
    MPI_Request r;
    MPI_Info none = MPI_INFO_NULL;
    MPI_Comm world = MPI_COMM_WORLD;
    CHECK_ERROR(MPI_Iallreduce(in, out, 1, MPI_INT, MPI_OP_NULL, world, &r), MPI_ERR_OP);
    CHECK_ERROR(MPI_Iallreduce(in, out, 1, MPI_FLOAT, MPI_BAND, world, &r), MPI_ERR_OP);
    CHECK_ERROR(MPI_Ireduce(in, out, -1, MPI_INT, MPI_SUM, 0, world, &r), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Reduce_init(in, out, 1, MPI_INT, MPI_SUM, size, world, none, &r), MPI_ERR_ROOT);
    CHECK_ERROR(MPI_Iscan(in, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, world, &r), MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Exscan_init(in, out, 1, MPI_INT, MPI_REPLACE, world, none, &r), MPI_ERR_OP);
    CHECK_ERROR(MPI_Ireduce_scatter(in, out, NULL, MPI_INT, MPI_SUM, world, &r), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Ireduce_scatter_block(in, out, -1, MPI_INT, MPI_SUM, world, &r), MPI_ERR_COUNT);
    CHECK_ERROR(MPI_Scan_init(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, world, none, &r),
                MPI_ERR_TYPE);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    for (int i = 0; i < size; ++i)
        ones[i] = 1;
    check_handles();
    check_gathers();
    check_reductions();
    if (size > 1) {
        TwoGroups groups = split_in_two_groups();
        MPI_Request r;
        CHECK_SUCCESS(MPI_Comm_set_errhandler(groups.inter, MPI_ERRORS_RETURN));
        CHECK_ERROR(MPI_Iscan(in, out, 1, MPI_INT, MPI_SUM, groups.inter, &r), MPI_ERR_COMM);
        CHECK_ERROR(MPI_Iallreduce(MPI_IN_PLACE, out, 1, MPI_INT, MPI_SUM, groups.inter, &r),
                    MPI_ERR_BUFFER);
        free_two_groups(&groups);
    }
    return finish();
}

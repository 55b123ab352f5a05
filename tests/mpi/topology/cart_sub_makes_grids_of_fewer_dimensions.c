// MPI 5.0 section 8.5.7: "MPI_CART_SUB can be used to partition the group associated with a
// communicator that has an associated Cartesian topology into subgroups that form lower-dimensional
// Cartesian subgrids, and to create for each subgroup a communicator with the associated subgrid
// Cartesian topology." Its example: "Assume that MPI_Cart_create(..., comm) has defined a (2 × 3 ×
// 4) grid. Let remain_dims = (true, false, true)."
// ranks: 24
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[3] = {2, 3, 4}, periods[3] = {1, 0, 0}, coords[3];
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &comm);
    MPI_Cart_coords(comm, rank, 3, coords);
    for (int kept = 0; kept < 8; ++kept) {
        int remain[3] = {kept & 1, kept & 2, kept & 4}, expected = 1, n = 0, members, sub_rank = 0;
        for (int d = 0; d < 3; ++d)
            if (remain[d]) {
                expected *= dims[d];
                sub_rank = sub_rank * dims[d] + coords[d];
            }
        MPI_Comm sub;
        CHECK_SUCCESS(MPI_Cart_sub(comm, remain, &sub));
        MPI_Comm_size(sub, &members);
        CHECK_EQUAL(members, expected);
        int actual_rank, ndims, sub_dims[3], sub_periods[3], sub_coords[3];
        MPI_Comm_rank(sub, &actual_rank);
        CHECK_EQUAL(actual_rank, sub_rank);
        MPI_Cartdim_get(sub, &ndims);
        MPI_Cart_get(sub, 3, sub_dims, sub_periods, sub_coords);
        for (int d = 0; d < 3; ++d) {
            if (!remain[d])
                continue;
            CHECK_EQUAL(sub_dims[n], dims[d]);
            CHECK_EQUAL(sub_periods[n], periods[d]); // "preserved from the original communicator"
            CHECK_EQUAL(sub_coords[n], coords[d]);
            ++n;
        }
        CHECK_EQUAL(ndims, n);
        // Its members: all with the same coordinates in the dimensions that are dropped.
        int mine[3], all[24][3];
        for (int d = 0; d < 3; ++d)
            mine[d] = remain[d] ? -1 : coords[d];
        MPI_Allgather(mine, 3, MPI_INT, all, 3, MPI_INT, sub);
        for (int i = 0; i < members; ++i)
            CHECK(memcmp(all[i], mine, sizeof mine) == 0);
        MPI_Comm_free(&sub);
    }
    MPI_Comm_free(&comm);
    return finish();
}

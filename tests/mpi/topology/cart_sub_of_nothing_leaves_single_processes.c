// MPI 5.0 section 8.5.7: "If all entries in remain_dims are false or comm is already associated
// with a zero-dimensional Cartesian topology then newcomm is associated with a zero-dimensional
// Cartesian topology."
// ranks: 6
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[2] = {2, 3}, periods[2] = {1, 1}, none[2] = {0, 0};
    MPI_Comm comm, sub, subsub;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    CHECK_SUCCESS(MPI_Cart_sub(comm, none, &sub));
    for (int level = 0; level < 2; ++level) {
        int kind, ndims, members, result;
        MPI_Topo_test(sub, &kind);
        CHECK_EQUAL(kind, MPI_CART);
        MPI_Cartdim_get(sub, &ndims);
        CHECK_EQUAL(ndims, 0);
        MPI_Comm_size(sub, &members);
        CHECK_EQUAL(members, 1);
        MPI_Comm_compare(sub, MPI_COMM_SELF, &result);
        CHECK_EQUAL(result, MPI_CONGRUENT);
        CHECK_SUCCESS(MPI_Cart_sub(sub, none, &subsub));
        MPI_Comm_free(&sub);
        sub = subsub;
    }
    MPI_Comm_free(&sub);
    MPI_Comm_free(&comm);
    return finish();
}

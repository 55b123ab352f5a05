// MPI 5.0 section 8.2: "The coordinates of MPI processes in a Cartesian structure begin their
// numbering at 0. Row-major numbering is always used for the MPI processes in a Cartesian
// structure." Section 8.5.1: "If reorder = false then the rank of each MPI process in the group of
// the new communicator is identical to its rank in the group of the old communicator."
// ranks: 12 24
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[3] = {size / 6, 3, 2}, periods[3] = {0, 7, 0}; // any true value
    MPI_Comm cart;
    CHECK_SUCCESS(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &cart));
    int ndims, kind, new_rank, got_dims[3], got_periods[3], coords[3], back;
    MPI_Topo_test(cart, &kind);
    CHECK_EQUAL(kind, MPI_CART);
    MPI_Comm_rank(cart, &new_rank);
    CHECK_EQUAL(new_rank, rank);
    MPI_Cartdim_get(cart, &ndims);
    CHECK_EQUAL(ndims, 3);
    MPI_Cart_get(cart, 3, got_dims, got_periods, coords);
    for (int d = 0; d < 3; ++d) {
        CHECK_EQUAL(got_dims[d], dims[d]);
        CHECK_EQUAL(got_periods[d] != 0, periods[d] != 0);
    }
    CHECK_EQUAL((coords[0] * 3 + coords[1]) * 2 + coords[2], rank);
    for (int other = 0; other < size; ++other) {
        MPI_Cart_coords(cart, other, 3, coords);
        CHECK_EQUAL(coords[0], other / 6);
        CHECK_EQUAL(coords[1], other / 2 % 3);
        CHECK_EQUAL(coords[2], other % 2);
        MPI_Cart_rank(cart, coords, &back);
        CHECK_EQUAL(back, other);
    }
    MPI_Comm_free(&cart);
    return finish();
}

// MPI 5.0 section 8.5.1: "If ndims is zero then a zero-dimensional Cartesian topology is created."
// Section 8.5.5: "If comm is associated with a zero-dimensional Cartesian topology, MPI_CARTDIM_GET
// returns ndims = 0 and MPI_CART_GET will keep all output arguments unchanged." "If comm is
// associated with a zero-dimensional Cartesian topology, coords is not significant and 0 is
// returned in rank."
// ranks: 1 4
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm cart;
    CHECK_SUCCESS(MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &cart));
    CHECK_EQUAL(cart == MPI_COMM_NULL, rank > 0);
    if (cart != MPI_COMM_NULL) {
        int ndims = 5, kind, dims = -1, periods = -2, coords = -3, found = -4, members;
        MPI_Topo_test(cart, &kind);
        CHECK_EQUAL(kind, MPI_CART);
        MPI_Comm_size(cart, &members);
        CHECK_EQUAL(members, 1);
        CHECK_SUCCESS(MPI_Cartdim_get(cart, &ndims));
        CHECK_EQUAL(ndims, 0);
        CHECK_SUCCESS(MPI_Cart_get(cart, 1, &dims, &periods, &coords));
        CHECK_SUCCESS(MPI_Cart_coords(cart, 0, 1, &coords));
        CHECK_EQUAL(dims, -1);
        CHECK_EQUAL(periods, -2);
        CHECK_EQUAL(coords, -3);
        CHECK_SUCCESS(MPI_Cart_rank(cart, NULL, &found));
        CHECK_EQUAL(found, 0);
        MPI_Comm sub;
        CHECK_SUCCESS(MPI_Cart_sub(cart, NULL, &sub));
        CHECK_SUCCESS(MPI_Cartdim_get(sub, &ndims));
        CHECK_EQUAL(ndims, 0);
        MPI_Comm_free(&sub);
        // Section 8.5.6: "This implies that it is erroneous to call MPI_CART_SHIFT with a comm that
        // is associated with a zero-dimensional Cartesian topology."
        MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
        CHECK_ERROR(MPI_Cart_shift(cart, 0, 1, &dims, &periods), MPI_ERR_DIMS);
        MPI_Comm_free(&cart);
    }
    return finish();
}

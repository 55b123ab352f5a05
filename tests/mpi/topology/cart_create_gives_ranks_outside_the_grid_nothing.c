// MPI 5.0 section 8.5.1: "If the total size of the Cartesian grid is smaller than the size of the
// group of comm_old, then some MPI processes return MPI_COMM_NULL, in analogy to MPI_COMM_SPLIT."
// ranks: 6 9
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[2] = {3, 2}, periods[2] = {1, 0}, members;
    for (int reorder = 0; reorder < 2; ++reorder) {
        MPI_Comm cart = MPI_COMM_SELF;
        CHECK_SUCCESS(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, reorder, &cart));
        CHECK_EQUAL(cart == MPI_COMM_NULL, rank >= 6);
        if (cart == MPI_COMM_NULL)
            continue;
        MPI_Comm_size(cart, &members);
        CHECK_EQUAL(members, 6);
        int sum = 0, one = 1;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, cart);
        CHECK_EQUAL(sum, 6);
        MPI_Comm_free(&cart);
    }
    return finish();
}

// MPI 5.0 section 8.5.6: "Depending on the periodicity of the Cartesian topology in the specified
// coordinate direction, MPI_CART_SHIFT provides the identifiers for a circular or an end-off shift.
// In the case of an end-off shift, the value MPI_PROC_NULL is returned in rank_source or rank_dest,
// indicating that the source or the destination for the shift is out of range."
// ranks: 12
#include "world.h"

#include <limits.h>

static int neighbour(int row, int column, int periodic_columns) {
    if (row < 0 || row > 2)
        return MPI_PROC_NULL;
    if (!periodic_columns && (column < 0 || column > 3))
        return MPI_PROC_NULL;
    return 4 * row + ((column % 4) + 4) % 4;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int periodic = 0; periodic < 2; ++periodic) {
        int dims[2] = {3, 4}, periods[2] = {0, periodic}, from, to;
        MPI_Comm cart;
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
        int row = rank / 4, column = rank % 4;
        for (int disp = -9; disp <= 9; ++disp) {
            CHECK_SUCCESS(MPI_Cart_shift(cart, 0, disp, &from, &to));
            CHECK_EQUAL(from, neighbour(row - disp, column, 1));
            CHECK_EQUAL(to, neighbour(row + disp, column, 1));
            CHECK_SUCCESS(MPI_Cart_shift(cart, 1, disp, &from, &to));
            CHECK_EQUAL(from, neighbour(row, column - disp, periodic));
            CHECK_EQUAL(to, neighbour(row, column + disp, periodic));
        }
        CHECK_SUCCESS(MPI_Cart_shift(cart, 0, INT_MIN, &from, &to));
        CHECK_EQUAL(from, MPI_PROC_NULL);
        CHECK_EQUAL(to, MPI_PROC_NULL);
        MPI_Comm_free(&cart);
    }
    return finish();
}

// MPI 5.0 section 8.5.5: "For dimension i with periods(i) = true, if the coordinate, coords(i), is
// out of range, that is, coords(i) < 0 or coords(i) ≥ dims(i), it is shifted back to the interval 0
// ≤ coords(i) < dims(i) automatically. Out-of-range coordinates are erroneous for nonperiodic
// dimensions."
// ranks: 6
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[2] = {2, 3}, periods[2] = {0, 1}, found;
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    for (int column = -7; column <= 8; ++column) {
        int coords[2] = {1, column};
        CHECK_SUCCESS(MPI_Cart_rank(cart, coords, &found));
        CHECK_EQUAL(found, 3 + ((column % 3) + 3) % 3);
    }
    int below[2] = {-1, 0}, beyond[2] = {2, 0};
    CHECK_ERROR(MPI_Cart_rank(cart, below, &found), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Cart_rank(cart, beyond, &found), MPI_ERR_ARG);
    MPI_Comm_free(&cart);
    return finish();
}

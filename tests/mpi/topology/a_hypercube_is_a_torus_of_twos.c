// MPI 5.0 section 8.4: "Note that an n-dimensional hypercube is an n-dimensional torus with two
// processes per coordinate direction. Thus, special support for hypercube structures is not
// necessary."
// ranks: 1 8 32
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int n = 0, dims[5] = {2, 2, 2, 2, 2}, periods[5] = {1, 1, 1, 1, 1}, from, to, sum = rank;
    while (1 << n < size)
        ++n;
    MPI_Comm cube;
    CHECK_SUCCESS(MPI_Cart_create(MPI_COMM_WORLD, n, dims, periods, 1, &cube));
    MPI_Comm_rank(cube, &rank);
    sum = rank;
    for (int d = 0; d < n; ++d) { // sum over all by exchange along each dimension
        int other;
        MPI_Cart_shift(cube, d, 1, &from, &to);
        CHECK_EQUAL(from, to);
        CHECK_EQUAL(from, rank ^ 1 << (n - 1 - d));
        MPI_Sendrecv(&sum, 1, MPI_INT, to, 0, &other, 1, MPI_INT, from, 0, cube, MPI_STATUS_IGNORE);
        sum += other;
    }
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    MPI_Comm_free(&cube);
    return finish();
}

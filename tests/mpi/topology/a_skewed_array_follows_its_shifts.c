// MPI 5.0 section 8.5.6, Example "Using MPI_CART_SHIFT for a Cartesian topology.": "One wishes to
// skew this array, by shifting column i (vertically, i.e., along the column) by i steps."
// ranks: 12 20
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[2] = {0, 4}, periods[2] = {1, 1}, coords[2], source, dest;
    MPI_Dims_create(size, 2, dims);
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Cart_coords(comm, rank, 2, coords);
    float a = (float)rank;
    MPI_Cart_shift(comm, 0, coords[1], &source, &dest);
    MPI_Sendrecv_replace(&a, 1, MPI_FLOAT, dest, 0, source, 0, comm, MPI_STATUS_IGNORE);
    int row = (coords[0] - coords[1] + 4 * dims[0]) % dims[0];
    CHECK_EQUAL(a, row * 4 + coords[1]);
    MPI_Comm_free(&comm);
    return finish();
}

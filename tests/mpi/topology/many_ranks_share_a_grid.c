// MPI 5.0 section 8.5.1: "MPI_CART_CREATE returns a handle to a new communicator to which the
// Cartesian topology information is attached.": with a thousand ranks, again and again.
// ranks: 1000
// timeout: 300
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[3] = {0, 0, 0}, periods[3] = {1, 0, 1}, row[3] = {0, 0, 1}, members;
    MPI_Dims_create(size, 3, dims);
    CHECK(dims[0] == 10 && dims[1] == 10 && dims[2] == 10);
    for (int i = 0; i < 5; ++i) {
        MPI_Comm grid, line;
        MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid);
        MPI_Cart_sub(grid, row, &line);
        MPI_Comm_free(&grid);
        MPI_Comm_size(line, &members);
        CHECK_EQUAL(members, 10);
        int from, to, received;
        MPI_Cart_shift(line, 0, 1, &from, &to);
        MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &received, 1, MPI_INT, from, 0, line,
                     MPI_STATUS_IGNORE);
        CHECK_EQUAL(received, rank / 10 * 10 + (rank + 9) % 10);
        MPI_Comm_free(&line);
    }
    return finish();
}

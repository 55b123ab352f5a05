// MPI 5.0 section 8.6.2, Example "Buffer usage of MPI_NEIGHBOR_ALLTOALL in the case of a Cartesian
// virtual topology.": "then after MPI_NEIGHBOR_ALLTOALL on a Cartesian communicator returned, the
// content of the recvbuf is as if the following code is executed".
// ranks: 1 2 3 4 6 8 12 18
#include "grids.h"

static void check(int ndims, const int *dims, const int *periods) {
    MPI_Comm comm = new_grid(ndims, dims, periods);
    int send[6][3], receive[6][3], expected[6][3], rank_source, rank_dest;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 3; ++j) {
            send[i][j] = datum(rank, 10 * i + j);
            receive[i][j] = expected[i][j] = -1;
        }
    for (int d = 0; d < ndims; d++) {
        MPI_Cart_shift(comm, d, 1, &rank_source, &rank_dest);
        MPI_Sendrecv(send[d * 2 + 0], 3, MPI_INT, rank_source, d * 2, expected[d * 2 + 1], 3,
                     MPI_INT, rank_dest, d * 2, comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv(send[d * 2 + 1], 3, MPI_INT, rank_dest, d * 2 + 1, expected[d * 2 + 0], 3,
                     MPI_INT, rank_source, d * 2 + 1, comm, MPI_STATUS_IGNORE);
    }
    CHECK_SUCCESS(MPI_Neighbor_alltoall(send, 3, MPI_INT, receive, 3, MPI_INT, comm));
    CHECK(memcmp(receive, expected, sizeof expected) == 0);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int ndims = 1; ndims <= 3; ++ndims)
        for (int bits = 0; bits < 1 << ndims; ++bits) {
            int dims[3] = {0, 0, 0}, periods[3] = {bits & 1, bits >> 1 & 1, bits >> 2 & 1};
            MPI_Dims_create(size, ndims, dims);
            check(ndims, dims, periods);
        }
    return finish();
}

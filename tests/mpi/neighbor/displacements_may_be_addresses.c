// MPI 5.0 section 5.1.5: MPI_BOTTOM is the beginning of the address space, so displacements in
// bytes from it may be the addresses of the blocks (sections 6.8, 8.6.2).
// ranks: 1 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    const int periodic = 1;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    int left, right;
    MPI_Cart_shift(ring, 0, 1, &left, &right);

    int out[2] = {rank, rank + 100}, in[2] = {-1, -1};
    const int counts[2] = {1, 1};
    MPI_Aint from[2], to[2];
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    for (int i = 0; i < 2; ++i) {
        MPI_Get_address(&out[i], &from[i]);
        MPI_Get_address(&in[i], &to[i]);
    }
    MPI_Neighbor_alltoallw(MPI_BOTTOM, counts, from, types, MPI_BOTTOM, counts, to, types, ring);
    CHECK_EQUAL(in[0], left + 100);
    CHECK_EQUAL(in[1], right);

    in[0] = in[1] = -1;
    MPI_Request request;
    MPI_Ineighbor_alltoallw(MPI_BOTTOM, counts, from, types, MPI_BOTTOM, counts, to, types, ring,
                            &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQUAL(in[0], left + 100);
    CHECK_EQUAL(in[1], right);
    MPI_Comm_free(&ring);

    // MPI_Alltoallw_c: everybody sends the same number to everybody.
    MPI_Count *large = malloc(sizeof *large * (size_t)size);
    MPI_Aint *sent = malloc(sizeof *sent * (size_t)size), *got = malloc(sizeof *got * (size_t)size);
    MPI_Datatype *all_types = malloc(sizeof *all_types * (size_t)size);
    int *received = malloc(sizeof *received * (size_t)size);
    for (int i = 0; i < size; ++i) {
        large[i] = 1;
        sent[i] = from[0];
        MPI_Get_address(&received[i], &got[i]);
        all_types[i] = MPI_INT;
        received[i] = -1;
    }
    MPI_Alltoallw_c(MPI_BOTTOM, large, sent, all_types, MPI_BOTTOM, large, got, all_types,
                    MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(received[i], i);
    free(large);
    free(sent);
    free(got);
    free(all_types);
    free(received);
    return finish();
}

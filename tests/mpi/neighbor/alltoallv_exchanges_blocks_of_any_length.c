// MPI 5.0 section 8.6.2: "The data in the sendbuf beginning at offset sdispls [k] elements (in
// terms of the sendtype) is sent to the k-th outgoing neighbor. The data received from the l-th
// incoming neighbor is placed into recvbuf beginning at offset rdispls [l] elements (in terms of
// the recvtype)."
// ranks: 1 2 6
#include "grids.h"

static int count_of(int from, int slot) {
    return (3 * from + 5 * slot) % 7; // sometimes nothing
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm braid = new_braid();
    double send[40], receive[40];
    int sendcounts[4], sdispls[4], recvcounts[4], rdispls[4], sender;
    for (int i = 0; i < 40; ++i)
        receive[i] = -1;
    for (int i = 0; i < 4; ++i) {
        sendcounts[i] = count_of(rank, i);
        sdispls[i] = 10 * (i ^ 2);
        for (int k = 0; k < sendcounts[i]; ++k)
            send[sdispls[i] + k] = datum(rank, 10 * i + k);
        int slot = braid_slot(rank, i, &sender);
        recvcounts[i] = count_of(sender, slot);
        rdispls[i] = 10 * (3 - i);
    }
    CHECK_SUCCESS(MPI_Neighbor_alltoallv(send, sendcounts, sdispls, MPI_DOUBLE, receive, recvcounts,
                                         rdispls, MPI_DOUBLE, braid));
    for (int i = 0; i < 4; ++i) {
        int slot = braid_slot(rank, i, &sender);
        for (int k = 0; k < 10; ++k)
            CHECK(receive[rdispls[i] + k] ==
                  (k < recvcounts[i] ? datum(sender, 10 * slot + k) : -1));
    }
    MPI_Comm_free(&braid);
    return finish();
}

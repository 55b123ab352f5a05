// MPI 5.0 section 8.6.2: "The k-th block in send buffer is sent to the k-th neighboring MPI process
// and the l-th block in the receive buffer is received from the l-th neighbor." As with
// "MPI_Isend(sendbuf+k*sendcount*extent(sendtype), sendcount, sendtype, dsts[k],...);" of every
// edge, several edges between the same processes match in order.
// ranks: 1 2 3 9
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm braid = new_braid();
    int send[4], receive[4], gathered[4], sender;
    for (int i = 0; i < 4; ++i)
        send[i] = datum(rank, i);
    CHECK_SUCCESS(MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, braid));
    CHECK_SUCCESS(MPI_Neighbor_allgather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, braid));
    for (int i = 0; i < 4; ++i) {
        int slot = braid_slot(rank, i, &sender);
        CHECK_EQUAL(receive[i], datum(sender, slot));
        CHECK_EQUAL(gathered[i], sender);
    }
    MPI_Comm_free(&braid);
    return finish();
}

// MPI 5.0 section 8.6.1: "The data received from the l-th neighbor is placed into recvbuf beginning
// at offset displs [l] elements (in terms of the recvtype)."
// ranks: 1 2 6
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm braid = new_braid();
    int send[16], receive[80], counts[4], places[4], sender;
    for (int i = 0; i < 16; ++i)
        send[i] = datum(rank, i);
    memset(receive, -1, sizeof receive);
    for (int i = 0; i < 4; ++i) {
        braid_slot(rank, i, &sender);
        counts[i] = sender % 15 + 1;
        places[i] = 20 * (3 - i) + 1; // in reverse order, with gaps
    }
    CHECK_SUCCESS(MPI_Neighbor_allgatherv(send, rank % 15 + 1, MPI_INT, receive, counts, places,
                                          MPI_INT, braid));
    for (int i = 0; i < 4; ++i) {
        braid_slot(rank, i, &sender);
        for (int k = -1; k < 19; ++k)
            CHECK_EQUAL(receive[places[i] + k], k >= 0 && k < counts[i] ? datum(sender, k) : -1);
    }
    MPI_Comm_free(&braid);
    return finish();
}

// MPI 5.0 section 6.13: "Once initialized, persistent collective operations can be started in any
// order and the order can differ among the MPI processes in the communicator." "Completing a
// persistent collective request, for example using MPI_TEST or MPI_WAIT, makes it inactive, but
// does not free the request."
// ranks: 1 2 7
#include "grids.h"

enum { operations = 5, rounds = 20 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm braid = new_braid();
    int send[operations][4], receive[operations][4], sender;
    MPI_Request requests[operations];
    for (int n = 0; n < operations; ++n)
        CHECK_SUCCESS(MPI_Neighbor_alltoall_init(send[n], 1, MPI_INT, receive[n], 1, MPI_INT, braid,
                                                 MPI_INFO_NULL, &requests[n]));
    for (int round = 0; round < rounds; ++round) {
        for (int n = 0; n < operations; ++n)
            for (int i = 0; i < 4; ++i) {
                send[n][i] = datum(rank, 100 * round % 300 + 10 * n + i);
                receive[n][i] = -1;
            }
        // Every rank starts elsewhere; others are between them.
        for (int n = 0; n < operations; ++n) {
            CHECK_SUCCESS(MPI_Start(&requests[(n + rank + round) % operations]));
            if (n == 2) {
                int values[4];
                MPI_Neighbor_allgather(&round, 1, MPI_INT, values, 1, MPI_INT, braid);
                CHECK_EQUAL(values[3], round);
            }
        }
        if (round % 2)
            CHECK_SUCCESS(MPI_Waitall(operations, requests, MPI_STATUSES_IGNORE));
        else
            for (int n = operations - 1; n >= 0; --n)
                for (int done = 0; !done;)
                    CHECK_SUCCESS(MPI_Test(&requests[n], &done, MPI_STATUS_IGNORE));
        for (int n = 0; n < operations; ++n) {
            CHECK(requests[n] != MPI_REQUEST_NULL);
            for (int i = 0; i < 4; ++i) {
                int slot = braid_slot(rank, i, &sender);
                CHECK_EQUAL(receive[n][i], datum(sender, 100 * round % 300 + 10 * n + slot));
            }
        }
    }
    CHECK_SUCCESS(MPI_Startall(operations, requests));
    CHECK_SUCCESS(MPI_Waitall(operations, requests, MPI_STATUSES_IGNORE));
    for (int n = 0; n < operations; ++n)
        CHECK_SUCCESS(MPI_Request_free(&requests[n]));
    MPI_Comm_free(&braid);
    return finish();
}

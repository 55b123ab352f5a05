// MPI 5.0 section 6.12: "Multiple nonblocking collective operations can be outstanding on a single
// communicator." "It is valid to mix different request types (i.e., any combination of collective
// requests, I/O requests, generalized requests, or point-to-point requests) in functions that
// enable multiple completions (e.g., MPI_WAITALL)."
// ranks: 1 3 8
#include "grids.h"

enum { operations = 20 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm braid = new_braid();
    static int send[operations][4], receive[operations][4];
    int message = rank, from_left = -1, sender;
    MPI_Request requests[operations + 2];
    for (int n = 0; n < operations; ++n)
        for (int i = 0; i < 4; ++i)
            send[n][i] = datum(rank, 10 * n + i);
    // Half of the ranks are late with all.
    if (rank % 2)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int n = 0; n < operations; ++n)
        CHECK_SUCCESS(n % 3 ? MPI_Ineighbor_alltoall(send[n], 1, MPI_INT, receive[n], 1, MPI_INT,
                                                     braid, &requests[n])
                            : MPI_Ineighbor_allgather(&send[n][0], 1, MPI_INT, receive[n], 1,
                                                      MPI_INT, braid, &requests[n]));
    if (rank % 2 == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(&from_left, 1, MPI_INT, (rank + size - 1) % size, 0, braid, &requests[operations]);
    MPI_Isend(&message, 1, MPI_INT, (rank + 1) % size, 0, braid, &requests[operations + 1]);
    // Some one by one from behind, the rest together.
    for (int n = operations - 1; n >= operations / 2; --n)
        CHECK_SUCCESS(MPI_Wait(&requests[n], MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Waitall(operations + 2, requests, MPI_STATUSES_IGNORE));
    CHECK_EQUAL(from_left, (rank + size - 1) % size);
    for (int n = 0; n < operations; ++n)
        for (int i = 0; i < 4; ++i) {
            int slot = braid_slot(rank, i, &sender);
            CHECK_EQUAL(receive[n][i], datum(sender, 10 * n + (n % 3 ? slot : 0)));
        }
    MPI_Comm_free(&braid);
    return finish();
}

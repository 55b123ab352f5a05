// MPI 5.0 section 4.2.1: "In the event that the communicator, tag, and source do not uniquely
// identify a message, the order in which partitioned communication initialization calls are made is
// the order in which they will eventually match."
// ranks: 3
#include "world.h"

enum { operations = 6 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm dup;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    int values[operations][2];
    MPI_Request requests[operations];
    // From ranks 1 and 2 to rank 0, twice with the same tag, and on another communicator.
    int first = rank == 2 ? operations / 2 : 0, end = rank == 1 ? operations / 2 : operations;
    if (rank == 0) // the receiver comes first or last
        MPI_Barrier(MPI_COMM_WORLD);
    for (int n = first; n < end; ++n) {
        int source = n < operations / 2 ? 1 : 2;
        MPI_Comm comm = n % 3 == 2 ? dup : MPI_COMM_WORLD;
        if (rank == 0)
            CHECK_SUCCESS(MPI_Precv_init(values[n], 1, 2, MPI_INT, source, 7, comm, MPI_INFO_NULL,
                                         &requests[n]));
        else
            CHECK_SUCCESS(
                MPI_Psend_init(values[n], 2, 1, MPI_INT, 0, 7, comm, MPI_INFO_NULL, &requests[n]));
    }
    if (rank != 0)
        MPI_Barrier(MPI_COMM_WORLD);
    // Started in the reverse order: that does not matter.
    for (int n = end - 1; n >= first; --n) {
        values[n][0] = rank ? 100 * rank + n : -1;
        values[n][1] = rank ? -values[n][0] : -1;
        CHECK_SUCCESS(MPI_Start(&requests[n]));
        if (rank)
            CHECK_SUCCESS(MPI_Pready_range(0, 1, requests[n]));
    }
    CHECK_SUCCESS(MPI_Waitall(end - first, requests + first, MPI_STATUSES_IGNORE));
    for (int n = first; n < end; ++n) {
        int expected = 100 * (n < operations / 2 ? 1 : 2) + n;
        CHECK(values[n][0] == expected && values[n][1] == -expected);
        CHECK_SUCCESS(MPI_Request_free(&requests[n]));
    }
    MPI_Comm_free(&dup);
    return finish();
}

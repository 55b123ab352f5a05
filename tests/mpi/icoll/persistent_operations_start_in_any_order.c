// MPI 5.0 section 6.13: "Once initialized, persistent collective operations can be started in any
// order and the order can differ among the MPI processes in the communicator."
// ranks: 2 5 16
#include "world.h"

enum { count = 5 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    int in[count], out[count];
    MPI_Request requests[count];
    for (int i = 0; i < count; ++i)
        CHECK_SUCCESS(i % 2 ? MPI_Bcast_init(&in[i], 1, MPI_INT, i % size, MPI_COMM_WORLD,
                                             MPI_INFO_NULL, &requests[i])
                            : MPI_Allreduce_init(&in[i], &out[i], 1, MPI_INT, MPI_SUM,
                                                 MPI_COMM_WORLD, MPI_INFO_NULL, &requests[i]));
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < count; ++i)
            in[i] = i % 2 ? (rank == i % size ? round + i : -1) : rank + round * i;
        for (int k = 0; k < count; ++k) // another order at each rank and in each round
            CHECK_SUCCESS(
                MPI_Start(&requests[(k * (rank % 2 ? 1 : count - 1) + rank + round) % count]));
        for (int k = 0; k < count; ++k) {
            int i = (k + 2 * rank) % count;
            CHECK_SUCCESS(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
            CHECK(requests[i] != MPI_REQUEST_NULL);
            if (i % 2)
                CHECK_EQUAL(in[i], round + i);
            else
                CHECK_EQUAL(out[i], size * (size - 1) / 2 + size * round * i);
        }
    }
    for (int i = 0; i < count; ++i)
        CHECK_SUCCESS(MPI_Request_free(&requests[i]));
    return finish();
}

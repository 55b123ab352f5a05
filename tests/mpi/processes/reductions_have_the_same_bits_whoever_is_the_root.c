// MPI 5.0 section 6.9.1: "It is strongly recommended that MPI_REDUCE be implemented so that the
// same result be obtained whenever the function is applied on the same arguments, appearing in the
// same order." The root, and whether everybody or one rank gets it, makes no difference, nor does
// time.
//
// ranks: 2 3 5 8
// modes: processes processes-2
#include "world.h"

enum { count = 700 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    double mine[count], first[count], again[count];
    for (int i = 0; i < count; ++i)
        mine[i] = 1.0 / (1 + rank * 31 + i) * (i % 3 ? 1e-9 : 1e9) * (rank % 2 ? -1 : 1);
    CHECK_SUCCESS(MPI_Allreduce(mine, first, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    for (int round = 0; round < 20; ++round) {
        for (int wait = 0; wait < (rank + round) % size; ++wait) // another order of arrival
            for (volatile int i = 0; i < 100000; ++i)
                ;
        memset(again, 0, sizeof again);
        CHECK_SUCCESS(
            MPI_Reduce(mine, again, count, MPI_DOUBLE, MPI_SUM, round % size, MPI_COMM_WORLD));
        if (rank == round % size)
            CHECK_EQUAL(memcmp(first, again, sizeof first), 0);
        MPI_Request request;
        CHECK_SUCCESS(
            MPI_Iallreduce(mine, again, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_EQUAL(memcmp(first, again, sizeof first), 0);
    }
    return finish();
}

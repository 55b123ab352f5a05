// MPI 5.0 section 6.14, example: "It is not possible to perform a blocking collective operation on
// all communicators because there exists no deadlock-free order to invoke them. However,
// nonblocking collective operations can easily be used to achieve this task."
// ranks: 3
#include "world.h"

// comm[i] has ranks i and (i + 1) % 3.
int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm comm[3];
    for (int i = 0; i < 3; ++i) {
        int member = rank == i || rank == (i + 1) % 3;
        CHECK_SUCCESS(MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, rank, &comm[i]));
    }
    for (int round = 0; round < 100; ++round) {
        int first = rank, second = (rank + 2) % 3, mine = rank + round, sums[2];
        MPI_Request reqs[2];
        // Each begins with its own, and waits for that of the one before.
        CHECK_SUCCESS(MPI_Iallreduce(&mine, &sums[0], 1, MPI_INT, MPI_SUM, comm[first], &reqs[0]));
        CHECK_SUCCESS(MPI_Iallreduce(&mine, &sums[1], 1, MPI_INT, MPI_SUM, comm[second], &reqs[1]));
        CHECK_SUCCESS(MPI_Waitall(2, reqs, MPI_STATUSES_IGNORE));
        CHECK_EQUAL(sums[0], 2 * round + rank + (rank + 1) % 3);
        CHECK_EQUAL(sums[1], 2 * round + rank + (rank + 2) % 3);
    }
    for (int i = 0; i < 3; ++i)
        if (comm[i] != MPI_COMM_NULL)
            CHECK_SUCCESS(MPI_Comm_free(&comm[i]));
    return finish();
}

// MPI 5.0 section 6.14, example: "Blocking and nonblocking collective operations can be
// interleaved, i.e., a blocking collective operation can be posted even if there is a nonblocking
// collective operation outstanding."
// ranks: 2 9
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int round = 0; round < 50; ++round) {
        MPI_Request requests[2];
        int value = rank == round % size ? round : -1, sum, one = 1;
        CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]));
        CHECK_SUCCESS(MPI_Bcast(&value, 1, MPI_INT, round % size, MPI_COMM_WORLD));
        CHECK_EQUAL(value, round);
        CHECK_SUCCESS(
            MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]));
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK_EQUAL(sum, size);
    }
    return finish();
}

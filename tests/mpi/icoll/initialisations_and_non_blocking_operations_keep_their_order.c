// MPI 5.0 section 6.13: "Initialization calls for MPI persistent collective operations are nonlocal
// and follow all the existing rules for collective operations, in particular ordering; programs
// that do not conform to these restrictions are erroneous." Starts need no order with other
// operations.
// ranks: 2 6
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request first, second, requests[2];
    int a = -1, b = -1, c = rank == 0 ? 3 : -1, sum;
    CHECK_SUCCESS(MPI_Bcast_init(&a, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &first));
    CHECK_SUCCESS(MPI_Ibcast(&c, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]));
    CHECK_SUCCESS(MPI_Bcast_init(&b, 1, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &second));
    if (rank == 0)
        a = 1;
    if (rank == size - 1)
        b = 2;
    if (rank % 2) {
        CHECK_SUCCESS(MPI_Start(&first));
        CHECK_SUCCESS(
            MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]));
        CHECK_SUCCESS(MPI_Start(&second));
    } else {
        CHECK_SUCCESS(MPI_Start(&second));
        CHECK_SUCCESS(
            MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]));
        CHECK_SUCCESS(MPI_Start(&first));
    }
    CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_SUCCESS(MPI_Wait(&second, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Wait(&first, MPI_STATUS_IGNORE));
    CHECK_EQUAL(a, 1);
    CHECK_EQUAL(b, 2);
    CHECK_EQUAL(c, 3);
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    CHECK_SUCCESS(MPI_Request_free(&first));
    CHECK_SUCCESS(MPI_Request_free(&second));
    return finish();
}

// MPI 5.0 section 6.13: "The request is initially inactive after the initialization call." and
// "Inactive persistent collective requests can be freed using MPI_REQUEST_FREE."
// ranks: 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request requests[2];
    MPI_Status status;
    int value = rank, index, flag;
    CHECK_SUCCESS(
        MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]));
    CHECK_SUCCESS(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    // Waiting for an inactive request returns at once, with an empty status.
    CHECK_SUCCESS(MPI_Wait(&requests[0], &status));
    CHECK_EQUAL(status.MPI_TAG, MPI_ANY_TAG);
    CHECK_SUCCESS(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE));
    CHECK(flag);
    CHECK_SUCCESS(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
    CHECK_EQUAL(index, MPI_UNDEFINED);
    CHECK_EQUAL(value, rank);
    CHECK_SUCCESS(MPI_Startall(2, requests));
    CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    CHECK_EQUAL(value, 0);
    CHECK_SUCCESS(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
    CHECK_EQUAL(index, MPI_UNDEFINED);
    for (int i = 0; i < 2; ++i) {
        CHECK_SUCCESS(MPI_Request_free(&requests[i]));
        CHECK(requests[i] == MPI_REQUEST_NULL);
    }
    return finish();
}

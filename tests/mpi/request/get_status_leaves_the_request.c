// ranks: 1
// MPI 5.0 section 3.7.6: MPI_Request_get_status "does not deallocate or inactivate the request".
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int value = 0, sent = 9, flag = 1;
    MPI_Request request;
    MPI_Status status;
    CHECK_SUCCESS(MPI_Irecv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Request_get_status(request, &flag, &status));
    CHECK(!flag);
    CHECK_SUCCESS(MPI_Send(&sent, 1, MPI_INT, 0, 2, MPI_COMM_WORLD));
    for (int again = 0; again < 2; again++) {
        CHECK_SUCCESS(MPI_Request_get_status(request, &flag, &status));
        CHECK(flag && status.MPI_TAG == 2);
        CHECK(request != MPI_REQUEST_NULL);
    }
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQUAL(value, 9);
    CHECK_SUCCESS(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status));
    CHECK(flag && status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
    return finish();
}

// MPI 5.0 section 6.12: "It is erroneous to call MPI_REQUEST_FREE or MPI_CANCEL for a request
// associated with a nonblocking collective operation." Section 6.13: "It is erroneous to free an
// active persistent collective request. Persistent collective operations cannot be canceled; it is
// erroneous to use MPI_CANCEL on a persistent collective request."
// ranks: 2 5
// options: --check
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Request request, kept;
    int value = rank;
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request));
    kept = request;
    CHECK_ERROR(MPI_Request_free(&request), MPI_ERR_REQUEST);
    CHECK(request == kept);
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQUAL(value, 0);

    CHECK_SUCCESS(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
    CHECK_SUCCESS(MPI_Start(&request));
    CHECK_ERROR(MPI_Request_free(&request), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Start(&request), MPI_ERR_REQUEST); // active already
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_SUCCESS(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    CHECK_ERROR(MPI_Start(&request), MPI_ERR_REQUEST); // not persistent
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    return finish();
}

// MPI 5.0 section 3.9: MPI_START takes "a handle returned by any of the initialization procedures";
// "The associated request should be inactive." What else it is given is an error of class
// MPI_ERR_REQUEST, and harms nothing.
// ranks: 1
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    int out = 4, in = 0;
    MPI_Request request = MPI_REQUEST_NULL, other;
    CHECK_ERROR(MPI_Start(&request), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Request_free(&request), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
    CHECK_SUCCESS(MPI_Irecv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request));
    CHECK_ERROR(MPI_Start(&request), MPI_ERR_REQUEST);
    CHECK_SUCCESS(MPI_Send(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_EQUAL(in, 4);
    CHECK_SUCCESS(MPI_Recv_init(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Start(&request));
    CHECK_ERROR(MPI_Start(&request), MPI_ERR_REQUEST); // active
    MPI_Request both[2] = {request, MPI_REQUEST_NULL};
    CHECK_ERROR(MPI_Startall(2, both), MPI_ERR_REQUEST);
    out = 5;
    CHECK_SUCCESS(MPI_Isend(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &other));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Wait(&other, MPI_STATUS_IGNORE));
    CHECK_EQUAL(in, 5);
    CHECK_SUCCESS(MPI_Request_free(&request));
    return finish();
}

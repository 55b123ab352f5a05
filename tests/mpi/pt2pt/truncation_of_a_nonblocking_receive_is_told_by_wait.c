// MPI 5.0 section 3.7.3: MPI_WAIT completes the receive; an error of the operation, such as
// MPI_ERR_TRUNCATE, is returned by the call that completes it.
// ranks: 2
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    static int out[50000];
    static const int counts[] = {5, 500, 50000};
    for (int i = 0; i < 3; ++i) {
        int got[3] = {-1, -1, -1};
        MPI_Request request = MPI_REQUEST_NULL;
        if (rank == 1) {
            MPI_Irecv(got, 2, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
            MPI_Send(NULL, 0, MPI_INT, 0, 99, MPI_COMM_WORLD);
            CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
            CHECK(request == MPI_REQUEST_NULL);
            CHECK_EQUAL(got[2], -1);
        } else {
            MPI_Recv(NULL, 0, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_SUCCESS(MPI_Send(out, counts[i], MPI_INT, 1, i, MPI_COMM_WORLD));
        }
    }
    MPI_Finalize();
    return 0;
}

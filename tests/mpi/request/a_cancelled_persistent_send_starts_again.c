// MPI 5.0 section 3.8.4: "A successful cancellation cancels the active communication, but not the
// request itself. After the call to MPI_CANCEL and the subsequent call to MPI_WAIT or MPI_TEST, the
// request becomes inactive and can be activated for a new communication." That one is not
// cancelled.
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    int out = 0, in = -1, cancelled = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    if (rank == 0)
        CHECK_SUCCESS(MPI_Ssend_init(&out, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request));
    for (int round = 0; round < 3; ++round) {
        if (rank == 0) {
            CHECK_SUCCESS(MPI_Start(&request));
            CHECK_SUCCESS(MPI_Cancel(&request));
            CHECK_SUCCESS(MPI_Wait(&request, &status));
            CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
            CHECK(cancelled && request != MPI_REQUEST_NULL);
            out = 10 + round;
            CHECK_SUCCESS(MPI_Start(&request));
        }
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // nothing is received before it is cancelled
        if (rank == 0) {
            CHECK_SUCCESS(MPI_Wait(&request, &status));
            CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
            CHECK(!cancelled);
        } else {
            CHECK_SUCCESS(MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &status));
            CHECK_EQUAL(in, 10 + round);
        }
    }
    if (rank == 0)
        CHECK_SUCCESS(MPI_Request_free(&request));
    return finish();
}

// MPI 5.0 section 3.8.4: "A successful cancellation cancels the active communication, but not the
// request itself. After the call to MPI_CANCEL and the subsequent call to MPI_WAIT or MPI_TEST, the
// request becomes inactive and can be activated for a new communication."
// ranks: 1 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    int left = (rank + size - 1) % size, right = (rank + 1) % size, in = -1, cancelled = 0,
        flag = 0;
    MPI_Request request;
    MPI_Status status;
    CHECK_SUCCESS(MPI_Recv_init(&in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &request));
    for (int round = 0; round < 3; ++round) {
        in = -1;
        CHECK_SUCCESS(MPI_Start(&request));
        CHECK_SUCCESS(MPI_Cancel(&request));
        while (!flag)
            CHECK_SUCCESS(MPI_Test(&request, &flag, &status));
        flag = 0;
        CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
        CHECK(cancelled && request != MPI_REQUEST_NULL && in == -1);
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // before anything is sent
        int out = 10 * rank + round;
        CHECK_SUCCESS(MPI_Start(&request));
        CHECK_SUCCESS(MPI_Send(&out, 1, MPI_INT, right, 3, MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Wait(&request, &status));
        CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
        CHECK(!cancelled && status.MPI_SOURCE == left);
        CHECK_EQUAL(in, 10 * left + round);
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK_SUCCESS(MPI_Request_free(&request));
    return finish();
}

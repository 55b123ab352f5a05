// MPI 5.0 section 16.3: "Cancelling a send request by calling MPI_CANCEL has been deprecated and
// may be removed in a future version of the MPI specification." Section 3.8.4: "either the
// cancellation succeeds, or the communication succeeds, but not both"
// ranks: 2
#include "world.h"

int main(void) {
    start(NULL, NULL);
    static char data[200000];
    if (rank == 0) {
        MPI_Request request;
        MPI_Status status;
        int cancelled = -1;
        MPI_Issend(data, sizeof data, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        CHECK_SUCCESS(MPI_Cancel(&request));
        CHECK_SUCCESS(MPI_Wait(&request, &status));
        CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
        CHECK(cancelled); // nobody could have received it
        MPI_Barrier(MPI_COMM_WORLD);
        data[0] = 7;
        MPI_Send(data, 1, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Status status;
        int count;
        MPI_Barrier(MPI_COMM_WORLD); // the first message is cancelled
        MPI_Recv(data, sizeof data, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_CHAR, &count);
        CHECK_EQUAL(count, 1);
        CHECK_EQUAL(data[0], 7);
    }
    MPI_Finalize();
    return 0;
}

// ranks: 1
// MPI 5.0 section 3.8.4: after MPI_Cancel a wait "is guaranteed to return"; MPI_Test_cancelled
// "returns flag = true if the communication associated with the status object was cancelled
// successfully".
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int value = 5, cancelled = 0;
    MPI_Request request;
    MPI_Status status;
    CHECK_SUCCESS(MPI_Irecv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Cancel(&request));
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
    CHECK(cancelled);
    CHECK(request == MPI_REQUEST_NULL);
    // The receive is gone: a message finds the next one.
    int sent = 7;
    CHECK_SUCCESS(MPI_Irecv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request));
    CHECK_SUCCESS(MPI_Send(&sent, 1, MPI_INT, 0, 3, MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
    CHECK(!cancelled && value == 7);
    return finish();
}

// MPI 5.0 section 3.4: a synchronous send "will complete successfully only if a matching receive is
// started, and the receive operation has started to receive the message".
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    for (int round = 0; round < 20; ++round) {
        int value = round, answer = -1, flag = -1;
        if (rank == 0) {
            MPI_Request request;
            MPI_Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
            for (int i = 0; i < 20; ++i) {
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
                CHECK_EQUAL(flag, 0);
            }
            // A message that comes later is received before; the first is still not complete.
            MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(&answer, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            CHECK_EQUAL(flag, 0);
            MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            value = -1;
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_EQUAL(value, round);
        }
    }
    MPI_Finalize();
    return 0;
}

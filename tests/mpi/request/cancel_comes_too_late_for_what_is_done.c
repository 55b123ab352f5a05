// MPI 5.0 section 3.8.4: "If a receive is marked for cancellation, then it must be the case that
// either the receive completes normally, or that the receive is successfully cancelled, in which
// case no part of the receive buffer is altered." Both ends race here.
// ranks: 2
#include "messages.h"

enum { kRounds = 300 };

int main(void) {
    start(NULL, NULL);
    int other = 1 - rank, cancelled, normal = 0;
    MPI_Status status;
    for (int round = 0; round < kRounds; ++round) {
        if (rank == 1) {
            int value = round;
            CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, other, 1, MPI_COMM_WORLD));
            CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
            continue;
        }
        int in = -1;
        MPI_Request request;
        CHECK_SUCCESS(MPI_Irecv(&in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request));
        if (round == 0) // certainly done
            CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Cancel(&request));
        CHECK_SUCCESS(MPI_Wait(&request, &status));
        CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
        CHECK(round > 0 || !cancelled);
        CHECK_EQUAL(in, cancelled ? -1 : round);
        normal += !cancelled;
        if (cancelled) // the message has to be received by another receive
            CHECK_SUCCESS(MPI_Recv(&in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &status));
        CHECK_EQUAL(in, round);
        if (round > 0)
            CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    }
    CHECK(rank == 1 || normal >= 1);
    return finish();
}

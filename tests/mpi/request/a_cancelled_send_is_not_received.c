// MPI 5.0 section 3.8.4: "Either the cancellation succeeds, or the communication succeeds, but not
// both"; if a cancelled send is successful, "no part of the message was received at the
// destination. Then, any matching receive has to be satisfied by another send."
// ranks: 2 3
#include "messages.h"

enum { kCount = 50000, kRounds = 20 };

int main(void) {
    start(NULL, NULL);
    static int out[kCount], in[kCount];
    int cancelled = -1, flag = -1;
    MPI_Status status;
    if (rank == 0) {
        for (int round = 0; round < kRounds; ++round) {
            // Short and long ones; of a long one nothing has been copied before its receive.
            int count = round % 2 ? kCount : 1 + round;
            MPI_Request request;
            out[0] = round;
            CHECK_SUCCESS(MPI_Isend(out, count, MPI_INT, 1, 1, MPI_COMM_WORLD, &request));
            CHECK_SUCCESS(MPI_Cancel(&request));
            CHECK_SUCCESS(MPI_Wait(&request, &status));
            CHECK_SUCCESS(MPI_Test_cancelled(&status, &cancelled));
            // Whether it was cancelled is what the receiver finds.
            CHECK_SUCCESS(MPI_Send(&cancelled, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
            CHECK_SUCCESS(MPI_Recv(&flag, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_EQUAL(flag, !cancelled);
        }
    } else if (rank == 1) {
        for (int round = 0; round < kRounds; ++round) {
            CHECK_SUCCESS(
                MPI_Recv(&cancelled, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK_SUCCESS(MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, &status));
            if (flag) {
                CHECK_SUCCESS(MPI_Recv(in, kCount, MPI_INT, 0, 1, MPI_COMM_WORLD, &status));
                CHECK_EQUAL(in[0], round);
            }
            CHECK_SUCCESS(MPI_Send(&flag, 1, MPI_INT, 0, 3, MPI_COMM_WORLD));
        }
    }
    return finish();
}

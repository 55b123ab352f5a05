// MPI 5.0 section 3.9: "it may be possible to optimize the communication by binding the list of
// communication arguments to a persistent communication request once and, then, repeatedly using
// the request to start and complete operations."
// ranks: 1 2 6
#include "messages.h"

enum { kCount = 4000, kRounds = 30 };

int main(void) {
    start(NULL, NULL);
    static int out[kCount], in[kCount];
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Recv_init(in, kCount, MPI_INT, left, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, kCount, MPI_INT, right, 4, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < kRounds; ++round) {
        for (int i = 0; i < kCount; ++i)
            out[i] = rank * 100000 + round * 10 + i;
        CHECK_SUCCESS(MPI_Startall(2, requests));
        CHECK_SUCCESS(MPI_Waitall(2, requests, statuses));
        CHECK(requests[0] != MPI_REQUEST_NULL);
        CHECK_EQUAL(statuses[0].MPI_SOURCE, left);
        for (int i = 0; i < kCount; ++i)
            CHECK_EQUAL(in[i], left * 100000 + round * 10 + i);
    }
    CHECK_SUCCESS(MPI_Request_free(&requests[0]));
    CHECK_SUCCESS(MPI_Request_free(&requests[1]));
    MPI_Finalize();
    return 0;
}

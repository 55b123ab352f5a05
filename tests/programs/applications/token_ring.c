// Election and a token on a ring, by persistent requests. Every rank has a number; the largest wins
// when it has gone all round (Chang and Roberts). Then the winner sends a token that each rank may
// hold once in each round: a critical section.
// ranks: 2 5 16 64
#include "world.h"

enum { kRounds = 10, kEnd = -1 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    long out = (rank * 7919L + 13) % 65537, in = 0, own = out, leader = kEnd;
    MPI_Request requests[2];
    CHECK_SUCCESS(MPI_Recv_init(&in, 1, MPI_LONG, left, 0, MPI_COMM_WORLD, &requests[0]));
    CHECK_SUCCESS(MPI_Ssend_init(&out, 1, MPI_LONG, right, 0, MPI_COMM_WORLD, &requests[1]));
    // All send in step: after `size` steps the largest number has been everywhere.
    for (int step = 0; step < size; ++step) {
        CHECK_SUCCESS(MPI_Startall(2, requests));
        CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        out = in > own ? in : own;
        if (in == own)
            leader = own;
    }
    long largest;
    CHECK_SUCCESS(MPI_Allreduce(&own, &largest, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD));
    CHECK_EQUAL(out, largest);
    CHECK_EQUAL(leader, own == largest ? largest : kEnd);

    // The token counts its steps.
    int i_lead = own == largest;
    out = 0;
    if (i_lead) {
        CHECK_SUCCESS(MPI_Start(&requests[1]));
        CHECK_SUCCESS(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    }
    for (int round = 0; round < kRounds; ++round) {
        CHECK_SUCCESS(MPI_Start(&requests[0]));
        CHECK_SUCCESS(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
        long expected = (long)round * size + (i_lead ? size - 1 : in % size);
        CHECK_EQUAL(in, expected);
        out = in + 1;
        if (i_lead && round == kRounds - 1)
            break;
        CHECK_SUCCESS(MPI_Start(&requests[1]));
        CHECK_SUCCESS(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
    }
    CHECK_SUCCESS(MPI_Request_free(&requests[0]));
    CHECK_SUCCESS(MPI_Request_free(&requests[1]));
    return finish();
}

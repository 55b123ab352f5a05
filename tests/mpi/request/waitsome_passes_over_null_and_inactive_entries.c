// MPI 5.0 section 3.7.5: MPI_WAITSOME: "Completed active persistent requests are marked as
// inactive. Any other type or request that completed is deallocated, and the associated handle is
// set to MPI_REQUEST_NULL. If the list contains no active handles, then the call returns
// immediately with outcount = MPI_UNDEFINED."
// ranks: 2
#include "messages.h"

// Entries 0, 3, 6 ... are null, 1, 4, 7 ... persistent, the others not.
enum { kCount = 12, kRounds = 5 };

static void receive(void) {
    MPI_Request requests[kCount], persistent[kCount];
    MPI_Status statuses[kCount];
    int values[kCount], indices[kCount], outcount, done;
    for (int i = 0; i < kCount; ++i) {
        persistent[i] = MPI_REQUEST_NULL;
        if (i % 3 == 1)
            CHECK_SUCCESS(
                MPI_Recv_init(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &persistent[i]));
        requests[i] = persistent[i];
    }
    for (int round = 0; round < kRounds; ++round) {
        int wanted = 0;
        for (int i = 0; i < kCount; ++i) {
            if (i % 3 == 1 && (i + round) % 2) { // the others stay inactive in this round
                CHECK_SUCCESS(MPI_Start(&requests[i]));
                ++wanted;
            } else if (i % 3 == 2) {
                CHECK_SUCCESS(
                    MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]));
                ++wanted;
            }
        }
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, 1, kCount, MPI_COMM_WORLD));
        for (done = 0; done < wanted; done += outcount) {
            CHECK_SUCCESS(MPI_Waitsome(kCount, requests, &outcount, indices, statuses));
            CHECK(outcount > 0 && outcount <= wanted - done);
            for (int k = 0; k < outcount; ++k) {
                int i = indices[k];
                CHECK_EQUAL(statuses[k].MPI_TAG, i);
                CHECK_EQUAL(values[i], 1000 * round + i);
                CHECK(requests[i] == persistent[i]);
                CHECK(i % 3 == 2 || (i % 3 == 1 && (i + round) % 2));
            }
        }
        CHECK_SUCCESS(MPI_Waitsome(kCount, requests, &outcount, indices, statuses));
        CHECK_EQUAL(outcount, MPI_UNDEFINED);
    }
    for (int i = 1; i < kCount; i += 3)
        CHECK_SUCCESS(MPI_Request_free(&requests[i]));
}

int main(void) {
    start(NULL, NULL);
    if (rank == 0)
        receive();
    else
        for (int round = 0; round < kRounds; ++round) {
            CHECK_SUCCESS(MPI_Recv(NULL, 0, MPI_INT, 0, kCount, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            for (int i = kCount; i-- > 0;) {
                int value = 1000 * round + i;
                if (i % 3 == 2 || (i % 3 == 1 && (i + round) % 2))
                    CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD));
            }
        }
    return finish();
}

// MPI 5.0 section 3.7.5: MPI_TESTALL: "Otherwise, flag = false is returned, no request is
// modified"; with flag = true, "Each status entry that corresponds to a null or inactive handle is
// set to empty."
// ranks: 2
#include "messages.h"

enum { kCount = 5 };

int main(void) {
    start(NULL, NULL);
    int values[kCount], flag = 1, other = 1 - rank;
    if (rank == 0) {
        MPI_Request requests[kCount + 1], before[kCount + 1];
        MPI_Status statuses[kCount + 1];
        for (int i = 0; i < kCount; ++i)
            CHECK_SUCCESS(
                MPI_Irecv(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]));
        requests[kCount] = MPI_REQUEST_NULL;
        memcpy(before, requests, sizeof requests);
        // All but the last message have come; no request is given up.
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        for (int again = 0; again < 3; ++again) {
            CHECK_SUCCESS(MPI_Testall(kCount + 1, requests, &flag, statuses));
            CHECK(!flag);
            CHECK(memcmp(before, requests, sizeof requests) == 0);
        }
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, other, 9, MPI_COMM_WORLD));
        while (!flag)
            CHECK_SUCCESS(MPI_Testall(kCount + 1, requests, &flag, statuses));
        for (int i = 0; i < kCount; ++i) {
            CHECK(requests[i] == MPI_REQUEST_NULL);
            CHECK_EQUAL(statuses[i].MPI_TAG, i);
            CHECK_EQUAL(values[i], 10 * i);
        }
        CHECK_EQUAL(statuses[kCount].MPI_TAG, MPI_ANY_TAG);
        CHECK_EQUAL(statuses[kCount].MPI_SOURCE, MPI_ANY_SOURCE);
    } else {
        for (int i = 0; i < kCount; ++i) {
            if (i == kCount - 1) {
                CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
                CHECK_SUCCESS(
                    MPI_Recv(NULL, 0, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            }
            values[i] = 10 * i;
            CHECK_SUCCESS(MPI_Send(&values[i], 1, MPI_INT, other, i, MPI_COMM_WORLD));
        }
    }
    return finish();
}

// MPI 5.0 section 3.7.6: MPI_REQUEST_GET_STATUS_ALL: "Unlike test or wait, it does not deallocate
// or inactivate the requests; a subsequent call to test, wait or free should be executed with each
// of those requests."
// ranks: 2
#include "messages.h"

enum { kCount = 4 };

int main(void) {
    start(NULL, NULL);
    int other = 1 - rank;
    if (rank == 1) {
        for (int i = 0; i < kCount; ++i) {
            if (i == 2) // the first two, and the others when they are asked for
                CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
            CHECK_SUCCESS(MPI_Send(&i, 1, MPI_INT, other, i, MPI_COMM_WORLD));
        }
        CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
        return finish();
    }
    MPI_Request requests[kCount], before[kCount];
    MPI_Status status, statuses[kCount];
    int values[kCount], indices[kCount], outcount = -1, index = -1, flag = 1;
    // Persistent and other requests. Those of the even places are sent last.
    static const int tags[kCount] = {2, 0, 3, 1};
    for (int i = 0; i < kCount; ++i) {
        if (i < 2)
            CHECK_SUCCESS(
                MPI_Irecv(&values[i], 1, MPI_INT, other, tags[i], MPI_COMM_WORLD, &requests[i]));
        else
            CHECK_SUCCESS(MPI_Recv_init(&values[i], 1, MPI_INT, other, tags[i], MPI_COMM_WORLD,
                                        &requests[i]));
    }
    CHECK_SUCCESS(MPI_Startall(2, requests + 2));
    memcpy(before, requests, sizeof requests);
    CHECK_SUCCESS(MPI_Request_get_status_all(2, requests, &flag, statuses));
    CHECK(!flag);
    while (outcount != 2)
        CHECK_SUCCESS(MPI_Request_get_status_some(kCount, requests, &outcount, indices, statuses));
    for (int k = 0; k < 2; ++k) {
        CHECK_EQUAL(indices[k] % 2, 1);
        CHECK_EQUAL(statuses[k].MPI_TAG, tags[indices[k]]);
    }
    for (int again = 0; again < 2; ++again) {
        CHECK_SUCCESS(MPI_Request_get_status_any(kCount, requests, &index, &flag, &status));
        CHECK(flag && index % 2 == 1);
        CHECK_EQUAL(status.MPI_TAG, tags[index]);
    }
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD)); // all have been sent
    for (int again = 0; again < 2; ++again) {
        CHECK_SUCCESS(MPI_Request_get_status_all(kCount, requests, &flag, statuses));
        CHECK(flag);
        for (int i = 0; i < kCount; ++i)
            CHECK_EQUAL(statuses[i].MPI_TAG, tags[i]);
    }
    CHECK(memcmp(before, requests, sizeof requests) == 0);
    CHECK_SUCCESS(MPI_Waitall(kCount, requests, statuses));
    for (int i = 0; i < kCount; ++i) {
        CHECK_EQUAL(values[i], tags[i]);
        CHECK((requests[i] == MPI_REQUEST_NULL) == (i < 2));
    }
    CHECK_SUCCESS(MPI_Request_free(&requests[2]));
    CHECK_SUCCESS(MPI_Request_free(&requests[3]));
    return finish();
}

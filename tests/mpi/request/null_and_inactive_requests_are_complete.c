// MPI 5.0 section 3.7.3: "One is allowed to call MPI_TEST with a null or inactive request argument.
// In such a case the procedure returns with flag = true and empty status"; section 3.7.5: "If the
// list contains no active handles (list has length zero or all entries are null or inactive), then
// the call returns immediately with index = MPI_UNDEFINED, and an empty status" (MPI_WAITANY).
// ranks: 1
#include "messages.h"

enum { kCount = 4 };

static MPI_Status stale(void) {
    MPI_Status status;
    memset(&status, 0x5a, sizeof status);
    return status;
}

static void check_empty(const MPI_Status *status) {
    int count = -1, elements = -1, cancelled = -1;
    CHECK_EQUAL(status->MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_EQUAL(status->MPI_TAG, MPI_ANY_TAG);
    CHECK_SUCCESS(MPI_Get_count(status, MPI_INT, &count));
    CHECK_SUCCESS(MPI_Get_elements(status, MPI_INT, &elements));
    CHECK_SUCCESS(MPI_Test_cancelled(status, &cancelled));
    CHECK(count == 0 && elements == 0 && !cancelled);
}

// Every form that takes one request, or several of which none is active.
static void check_all_forms(MPI_Request *requests, int count) {
    MPI_Status status = stale(), statuses[kCount];
    int flag = 0, index = 0, outcount = 0, indices[kCount];
    MPI_Request before[kCount];
    memcpy(before, requests, (size_t)count * sizeof *requests);
    for (int i = 0; i < count; ++i) {
        CHECK_SUCCESS(MPI_Wait(&requests[i], &status));
        check_empty(&status);
        status = stale();
        CHECK_SUCCESS(MPI_Test(&requests[i], &flag, &status));
        CHECK(flag);
        check_empty(&status);
        status = stale();
        flag = 0;
        CHECK_SUCCESS(MPI_Request_get_status(requests[i], &flag, &status));
        CHECK(flag);
        check_empty(&status);
    }
    status = stale();
    CHECK_SUCCESS(MPI_Waitany(count, requests, &index, &status));
    CHECK_EQUAL(index, MPI_UNDEFINED);
    check_empty(&status);
    status = stale();
    index = flag = 0;
    CHECK_SUCCESS(MPI_Testany(count, requests, &index, &flag, &status));
    CHECK(flag && index == MPI_UNDEFINED);
    check_empty(&status);
    status = stale();
    index = flag = 0;
    CHECK_SUCCESS(MPI_Request_get_status_any(count, requests, &index, &flag, &status));
    CHECK(flag && index == MPI_UNDEFINED);
    check_empty(&status);

    for (int form = 0; form < 3; ++form) {
        for (int i = 0; i < count; ++i)
            statuses[i] = stale();
        flag = 0;
        if (form == 0)
            CHECK_SUCCESS(MPI_Waitall(count, requests, statuses));
        else if (form == 1)
            CHECK_SUCCESS(MPI_Testall(count, requests, &flag, statuses));
        else
            CHECK_SUCCESS(MPI_Request_get_status_all(count, requests, &flag, statuses));
        CHECK(form == 0 || flag);
        for (int i = 0; i < count; ++i)
            check_empty(&statuses[i]);
    }
    CHECK_SUCCESS(MPI_Waitsome(count, requests, &outcount, indices, statuses));
    CHECK_EQUAL(outcount, MPI_UNDEFINED);
    outcount = 0;
    CHECK_SUCCESS(MPI_Testsome(count, requests, &outcount, indices, statuses));
    CHECK_EQUAL(outcount, MPI_UNDEFINED);
    outcount = 0;
    CHECK_SUCCESS(MPI_Request_get_status_some(count, requests, &outcount, indices, statuses));
    CHECK_EQUAL(outcount, MPI_UNDEFINED);
    CHECK(memcmp(before, requests, (size_t)count * sizeof *requests) == 0);
}

int main(void) {
    start(NULL, NULL);
    MPI_Request requests[kCount];
    int out = 3, in = 0;
    check_all_forms(requests, 0);
    for (int i = 0; i < kCount; ++i)
        requests[i] = MPI_REQUEST_NULL;
    check_all_forms(requests, kCount);
    // Persistent requests: before they were ever started, and after they have completed.
    CHECK_SUCCESS(MPI_Recv_init(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]));
    CHECK_SUCCESS(MPI_Send_init(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[2]));
    check_all_forms(requests, kCount);
    CHECK_SUCCESS(MPI_Startall(2, requests + 1));
    CHECK_SUCCESS(MPI_Waitall(kCount, requests, MPI_STATUSES_IGNORE));
    CHECK_EQUAL(in, 3);
    check_all_forms(requests, kCount);
    CHECK_SUCCESS(MPI_Request_free(&requests[1]));
    CHECK_SUCCESS(MPI_Request_free(&requests[2]));
    CHECK(requests[1] == MPI_REQUEST_NULL && requests[2] == MPI_REQUEST_NULL);
    check_all_forms(requests, kCount);
    return finish();
}

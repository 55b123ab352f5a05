// MPI 5.0 section 13.2: "The query_fn callback is invoked by the MPI_{WAIT|TEST}{|ANY|SOME|ALL}
// call that completed the generalized request"; "free_fn is invoked after the call to query_fn for
// the same request"; "query_fn is invoked only after MPI_GREQUEST_COMPLETE is called on the
// request; it may be invoked several times for the same generalized request, e.g., if the user
// calls MPI_REQUEST_GET_STATUS several times for this request."
// ranks: 1 3
#include "messages.h"

typedef struct {
    int complete, queries, frees, elements;
} Operation;

static int query(void *extra, MPI_Status *status) {
    Operation *operation = extra;
    CHECK(operation->complete && operation->frees == 0);
    CHECK(status != MPI_STATUS_IGNORE);
    ++operation->queries;
    MPI_Status_set_elements(status, MPI_INT, operation->elements);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 40 + rank;
    status->MPI_TAG = 50;
    return MPI_SUCCESS;
}

static int free_operation(void *extra) {
    Operation *operation = extra;
    ++operation->frees;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
    CHECK(0);
    return MPI_SUCCESS;
}

static MPI_Request begin(Operation *operation, int elements) {
    MPI_Request request;
    *operation = (Operation){0, 0, 0, elements};
    CHECK_SUCCESS(MPI_Grequest_start(query, free_operation, cancel, operation, &request));
    CHECK(request != MPI_REQUEST_NULL);
    return request;
}

static void complete(Operation *operation, MPI_Request request) {
    operation->complete = 1;
    CHECK_SUCCESS(MPI_Grequest_complete(request));
}

static void check_status(const MPI_Status *status, int elements) {
    int count = -1, cancelled = 1;
    CHECK_SUCCESS(MPI_Get_count(status, MPI_INT, &count));
    CHECK_SUCCESS(MPI_Test_cancelled(status, &cancelled));
    CHECK(count == elements && !cancelled);
    CHECK(status->MPI_SOURCE == 40 + rank && status->MPI_TAG == 50);
}

int main(void) {
    enum { kCount = 3 };

    start(NULL, NULL);
    Operation operations[kCount], *one = &operations[0];
    MPI_Status status, statuses[kCount];
    MPI_Request requests[kCount];
    int flag = 1, index, outcount, indices[kCount];

    MPI_Request request = begin(one, 7);
    CHECK_SUCCESS(MPI_Test(&request, &flag, &status));
    CHECK(!flag && one->queries == 0);
    complete(one, request);
    for (int again = 1; again <= 3; ++again) {
        CHECK_SUCCESS(MPI_Request_get_status(request, &flag, &status));
        CHECK(flag && one->queries == again && one->frees == 0);
        check_status(&status, 7);
    }
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    check_status(&status, 7);
    CHECK(request == MPI_REQUEST_NULL && one->queries == 4 && one->frees == 1);

    // "If the user provided MPI_STATUS_IGNORE ..., then MPI will pass a valid status object".
    request = begin(one, 2);
    complete(one, request);
    CHECK_SUCCESS(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    CHECK(flag && one->queries == 1 && one->frees == 1);

    for (int form = 0; form < 3; ++form) {
        for (int i = 0; i < kCount; ++i)
            requests[i] = begin(&operations[i], 10 + i);
        CHECK_SUCCESS(MPI_Testany(kCount, requests, &index, &flag, &status));
        CHECK(!flag);
        complete(&operations[1], requests[1]);
        CHECK_SUCCESS(MPI_Waitany(kCount, requests, &index, &status));
        CHECK_EQUAL(index, 1);
        check_status(&status, 11);
        for (int i = 0; i < kCount; i += 2)
            complete(&operations[i], requests[i]);
        if (form == 0) {
            CHECK_SUCCESS(MPI_Waitall(kCount, requests, statuses));
        } else if (form == 1) {
            CHECK_SUCCESS(MPI_Testall(kCount, requests, &flag, statuses));
            CHECK(flag);
        } else {
            CHECK_SUCCESS(MPI_Waitsome(kCount, requests, &outcount, indices, statuses));
            CHECK(outcount == 2 && indices[0] == 0 && indices[1] == 2);
            statuses[2] = statuses[1];
        }
        check_status(&statuses[0], 10);
        check_status(&statuses[2], 12);
        for (int i = 0; i < kCount; ++i)
            CHECK(operations[i].queries == 1 && operations[i].frees == 1);
    }
    return finish();
}

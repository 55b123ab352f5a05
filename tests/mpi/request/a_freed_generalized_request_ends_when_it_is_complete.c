// MPI 5.0 section 13.2: "The free_fn callback is also invoked for generalized requests that are
// freed by a call to MPI_REQUEST_FREE"; "the actual freeing code is executed as soon as both calls
// MPI_REQUEST_FREE and MPI_GREQUEST_COMPLETE have occurred."
// ranks: 1
#include "messages.h"

static int queries, frees;

static int query(void *extra, MPI_Status *status) {
    ++queries;
    return MPI_SUCCESS;
}

static int free_operation(void *extra) {
    ++frees;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
    return MPI_SUCCESS;
}

int main(void) {
    start(NULL, NULL);
    for (int complete_first = 0; complete_first < 2; ++complete_first) {
        MPI_Request request;
        frees = 0;
        CHECK_SUCCESS(MPI_Grequest_start(query, free_operation, cancel, NULL, &request));
        MPI_Request copy = request; // "valid until after free_fn completes"
        if (complete_first)
            CHECK_SUCCESS(MPI_Grequest_complete(copy));
        else
            CHECK_SUCCESS(MPI_Request_free(&request));
        CHECK_EQUAL(frees, 0);
        if (complete_first)
            CHECK_SUCCESS(MPI_Request_free(&request));
        else
            CHECK_SUCCESS(MPI_Grequest_complete(copy));
        CHECK_EQUAL(frees, 1);
        CHECK(request == MPI_REQUEST_NULL);
    }
    CHECK_EQUAL(queries, 0);
    return finish();
}

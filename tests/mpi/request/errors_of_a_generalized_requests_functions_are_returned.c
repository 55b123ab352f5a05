// MPI 5.0 section 13.2: "the error code returned by the callback function will be returned by the
// MPI procedure that invoked the callback function"; of query_fn and free_fn, "the last callback,
// namely free_fn"; with an array of statuses "the MPI call will return MPI_ERR_IN_STATUS".
// ranks: 1
#include "messages.h"

static int query_code, free_code, cancel_code;

static int query(void *extra, MPI_Status *status) {
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return query_code;
}

static int free_operation(void *extra) {
    return free_code;
}

static int cancel(void *extra, int complete) {
    return cancel_code;
}

static MPI_Request completed(void) {
    MPI_Request request;
    CHECK_SUCCESS(MPI_Grequest_start(query, free_operation, cancel, NULL, &request));
    CHECK_SUCCESS(MPI_Grequest_complete(request));
    return request;
}

int main(void) {
    start_with_errors_returned();
    MPI_Status status, statuses[2];
    int flag, index;
    query_code = MPI_ERR_IO;
    MPI_Request request = completed();
    CHECK_ERROR(MPI_Request_get_status(request, &flag, &status), MPI_ERR_IO);
    CHECK_ERROR(MPI_Wait(&request, &status), MPI_ERR_IO);
    CHECK(request == MPI_REQUEST_NULL);
    free_code = MPI_ERR_QUOTA;
    request = completed();
    CHECK_ERROR(MPI_Waitany(1, &request, &index, &status), MPI_ERR_QUOTA);
    query_code = MPI_SUCCESS;
    MPI_Request both[2] = {completed(), MPI_REQUEST_NULL};
    CHECK_ERROR(MPI_Waitall(2, both, statuses), MPI_ERR_IN_STATUS);
    CHECK_ERROR(statuses[0].MPI_ERROR, MPI_ERR_QUOTA);
    CHECK_EQUAL(statuses[1].MPI_ERROR, MPI_SUCCESS);
    both[0] = completed();
    CHECK_ERROR(MPI_Waitall(2, both, MPI_STATUSES_IGNORE), MPI_ERR_IN_STATUS);
    free_code = MPI_SUCCESS;
    cancel_code = MPI_ERR_NAME;
    request = completed();
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_NAME);
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    return finish();
}

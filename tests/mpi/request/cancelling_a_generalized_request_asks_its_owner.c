// MPI 5.0 section 13.2: cancel_fn "is called by MPI_CANCEL (request). MPI passes complete = true to
// the callback function if MPI_GREQUEST_COMPLETE was already called on the request, and complete =
// false otherwise"; the status that query_fn sets tells whether it was cancelled.
// ranks: 1
#include "messages.h"

static int cancels, told_complete, cancelled_flag;

static int query(void *extra, MPI_Status *status) {
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, cancelled_flag);
    return MPI_SUCCESS;
}

static int free_operation(void *extra) {
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete) {
    ++cancels;
    told_complete = complete;
    if (!complete) {
        cancelled_flag = 1;
        MPI_Grequest_complete(*(MPI_Request *)extra);
    }
    return MPI_SUCCESS;
}

int main(void) {
    start(NULL, NULL);
    MPI_Request request;
    MPI_Status status;
    int flag = -1;
    CHECK_SUCCESS(MPI_Grequest_start(query, free_operation, cancel, &request, &request));
    CHECK_SUCCESS(MPI_Cancel(&request));
    CHECK(cancels == 1 && !told_complete);
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    CHECK_SUCCESS(MPI_Test_cancelled(&status, &flag));
    CHECK(flag);

    cancelled_flag = 0;
    CHECK_SUCCESS(MPI_Grequest_start(query, free_operation, cancel, &request, &request));
    CHECK_SUCCESS(MPI_Grequest_complete(request));
    CHECK_SUCCESS(MPI_Cancel(&request));
    CHECK(cancels == 2 && told_complete);
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    CHECK_SUCCESS(MPI_Test_cancelled(&status, &flag));
    CHECK(!flag);
    return finish();
}

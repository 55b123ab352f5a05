// MPI 5.0 section 3.10: "A probe or matching probe with source = MPI_PROC_NULL succeeds and returns
// as soon as possible, and the status object returns source = MPI_PROC_NULL, tag = MPI_ANY_TAG and
// count = 0. A matching probe ... with source = MPI_PROC_NULL returns flag = true, message =
// MPI_MESSAGE_NO_PROC".
// ranks: 1 2
#include "messages.h"

static MPI_Status stale(void) {
    MPI_Status status;
    memset(&status, 0x33, sizeof status);
    return status;
}

static void check_status(MPI_Status *status) {
    int count = -1;
    CHECK_SUCCESS(MPI_Get_count(status, MPI_INT, &count));
    CHECK(status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG && count == 0);
    *status = stale();
}

int main(void) {
    start(NULL, NULL);
    MPI_Status status = stale();
    MPI_Message message;
    MPI_Request request;
    int flag = 0, value = 77;
    CHECK_SUCCESS(MPI_Probe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, &status));
    check_status(&status);
    CHECK_SUCCESS(MPI_Iprobe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, &flag, &status));
    CHECK(flag);
    check_status(&status);
    CHECK_SUCCESS(MPI_Mprobe(MPI_PROC_NULL, 4, MPI_COMM_WORLD, &message, &status));
    CHECK(message == MPI_MESSAGE_NO_PROC);
    check_status(&status);
    CHECK_SUCCESS(MPI_Mrecv(&value, 1, MPI_INT, &message, &status));
    CHECK(message == MPI_MESSAGE_NULL);
    check_status(&status);
    flag = 0;
    CHECK_SUCCESS(
        MPI_Improbe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
    CHECK(flag && message == MPI_MESSAGE_NO_PROC);
    check_status(&status);
    CHECK_SUCCESS(MPI_Imrecv(&value, 1, MPI_INT, &message, &request));
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_SUCCESS(MPI_Wait(&request, &status));
    check_status(&status);
    CHECK_EQUAL(value, 77);
    return finish();
}

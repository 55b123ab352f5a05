// MPI 5.0 section 9.3: "in a procedure that takes a request handle as a parameter, an error during
// the corresponding operation is raised on the communicator, window, or file on which the request
// has been initialized"; section 9.3.1: "If the routine would have returned MPI_ERR_IN_STATUS, it
// is the error code returned in the status for the request that caused the error handler to be
// invoked."
// ranks: 1
#include "messages.h"

static int calls, last_class;
static MPI_Comm last_comm;

static void note(MPI_Comm *comm, int *code, ...) {
    ++calls;
    last_comm = *comm;
    MPI_Error_class(*code, &last_class);
}

int main(void) {
    start_with_errors_returned();
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int out[2] = {1, 2}, in[3];
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_SUCCESS(MPI_Comm_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(comm, handler));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));

    CHECK_SUCCESS(MPI_Irecv(in, 1, MPI_INT, 0, 1, comm, &requests[0]));
    CHECK_SUCCESS(MPI_Send(out, 2, MPI_INT, 0, 1, comm));
    CHECK_ERROR(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    CHECK(calls == 1 && last_comm == comm);
    CHECK_EQUAL(last_class, MPI_ERR_TRUNCATE);

    for (int ignore = 0; ignore < 2; ++ignore) {
        CHECK_SUCCESS(MPI_Irecv(in, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]));
        CHECK_SUCCESS(MPI_Irecv(in + 2, 1, MPI_INT, 0, 1, comm, &requests[1]));
        CHECK_SUCCESS(MPI_Send(out, 2, MPI_INT, 0, 1, MPI_COMM_WORLD));
        CHECK_SUCCESS(MPI_Send(out, 2, MPI_INT, 0, 1, comm));
        CHECK_ERROR(MPI_Waitall(2, requests, ignore ? MPI_STATUSES_IGNORE : statuses),
                    MPI_ERR_IN_STATUS);
        CHECK(calls == 2 + ignore && last_comm == comm);
        CHECK_EQUAL(last_class, MPI_ERR_TRUNCATE);
    }
    CHECK_SUCCESS(MPI_Comm_free(&comm));
    return finish();
}

// MPI 5.0 section 3.8.3: "An overflow error occurs if all incoming data does not fit, without
// truncation, into the receive buffer"; "All errors that occur during the execution of this
// operation are handled according to the error handler set for the communicator used in the
// matching probe call that produced the message handle"; "A call to MPI_MRECV with MPI_MESSAGE_NULL
// is erroneous."
// ranks: 1
#include "messages.h"

static int calls;
static MPI_Comm last_comm;

static void note(MPI_Comm *comm, int *code, ...) {
    ++calls;
    last_comm = *comm;
}

int main(void) {
    start_with_errors_returned();
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    int out[4] = {1, 2, 3, 4}, in[4] = {0};
    CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_SUCCESS(MPI_Comm_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(comm, handler));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    CHECK_ERROR(MPI_Mrecv(in, 4, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Imrecv(in, 4, MPI_INT, &message, &request), MPI_ERR_REQUEST);
    CHECK_EQUAL(calls, 0);

    CHECK_SUCCESS(MPI_Send(out, 4, MPI_INT, 0, 1, comm));
    CHECK_SUCCESS(MPI_Mprobe(0, 1, comm, &message, MPI_STATUS_IGNORE));
    CHECK_ERROR(MPI_Mrecv(in, 2, MPI_INT, &message, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    CHECK(calls == 1 && last_comm == comm && in[2] == 0);

    CHECK_SUCCESS(MPI_Send(out, 4, MPI_INT, 0, 1, comm));
    CHECK_SUCCESS(MPI_Mprobe(0, 1, comm, &message, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Imrecv(in, 3, MPI_INT, &message, &request));
    CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    CHECK(calls == 2 && last_comm == comm && in[3] == 0);
    CHECK_SUCCESS(MPI_Comm_free(&comm));
    return finish();
}

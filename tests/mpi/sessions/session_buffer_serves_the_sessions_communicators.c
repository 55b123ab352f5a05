// MPI 5.0 section 3.6: MPI_SESSION_ATTACH_BUFFER: "Provides to MPI a session-specific buffer in
// memory. This buffer is to be used for buffering outgoing messages sent when using a communicator
// that is created from a group that is derived from the session session. However, if there is a
// communicator-specific buffer attached to the particular communicator at the time of the buffered
// mode send is started, that buffer is used."
// ranks: 2
#include "session.h"

enum { bytes = 3000 };

static char data[bytes];

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN), other = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "buffered"), copy;
    MPI_Comm foreign = communicator_of(other, "mpi://WORLD", "other");
    CHECK_SUCCESS(MPI_Comm_dup(comm, &copy));
    int rank, size = bytes + MPI_BSEND_OVERHEAD;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        char *memory = malloc((size_t)size), *of_comm = malloc((size_t)size);
        CHECK_ERROR(MPI_Bsend(data, bytes, MPI_CHAR, 1, 0, comm), MPI_ERR_BUFFER);
        CHECK_SUCCESS(MPI_Session_attach_buffer(session, memory, size));
        CHECK_ERROR(MPI_Session_attach_buffer(session, memory, size), MPI_ERR_BUFFER);
        memset(data, 7, bytes);
        CHECK_SUCCESS(MPI_Bsend(data, bytes, MPI_CHAR, 1, 0, copy)); // derived by duplication
        memset(data, 0, bytes);
        CHECK_ERROR(MPI_Bsend(data, bytes, MPI_CHAR, 1, 1, comm), MPI_ERR_BUFFER); // full
        CHECK_ERROR(MPI_Bsend(data, bytes, MPI_CHAR, 1, 1, foreign), MPI_ERR_BUFFER);
        CHECK_SUCCESS(MPI_Comm_attach_buffer(comm, of_comm, size)); // comes first
        memset(data, 9, bytes);
        CHECK_SUCCESS(MPI_Bsend(data, bytes, MPI_CHAR, 1, 1, comm));
        MPI_Send(NULL, 0, MPI_INT, 1, 2, comm);
        void *back = NULL;
        int back_size = 0;
        CHECK_SUCCESS(MPI_Session_detach_buffer(session, &back, &back_size)); // waits
        CHECK(back == memory && back_size == size);
        CHECK_ERROR(MPI_Session_detach_buffer(session, &back, &back_size), MPI_ERR_BUFFER);
        CHECK_SUCCESS(MPI_Comm_detach_buffer(comm, &back, &back_size));
        CHECK(back == of_comm);
        free(memory);
        free(of_comm);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE);
        CHECK_SUCCESS(MPI_Recv(data, bytes, MPI_CHAR, 0, 1, comm, MPI_STATUS_IGNORE));
        CHECK(data[0] == 9 && data[bytes - 1] == 9);
        CHECK_SUCCESS(MPI_Recv(data, bytes, MPI_CHAR, 0, 0, copy, MPI_STATUS_IGNORE));
        CHECK(data[0] == 7 && data[bytes - 1] == 7);
    }
    CHECK_SUCCESS(MPI_Comm_disconnect(&copy));
    CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    CHECK_SUCCESS(MPI_Comm_disconnect(&foreign));
    close_session(&session);
    close_session(&other);
    return 0;
}

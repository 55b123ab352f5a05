// MPI 5.0 section 3.6: "MPI_SESSION_FLUSH_BUFFER will not return until all messages currently in
// the session-specific buffer of the calling MPI process have been transmitted." "For all
// MPI_XXX_FLUSH_BUFFER procedures, there also exist the following nonblocking variants".
// ranks: 2
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "flush");
    int rank, value = 5, flag = 1;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        char memory[4 * (MPI_BSEND_OVERHEAD + 8)];
        CHECK_SUCCESS(MPI_Session_attach_buffer_c(session, memory, sizeof memory));
        CHECK_SUCCESS(MPI_Session_flush_buffer(session)); // nothing in it
        CHECK_SUCCESS(MPI_Bsend(&value, 1, MPI_INT, 1, 1, comm));
        MPI_Request request;
        CHECK_SUCCESS(MPI_Session_iflush_buffer(session, &request));
        CHECK_SUCCESS(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag); // rank 1 receives only when it is told to
        CHECK_SUCCESS(MPI_Send(&value, 1, MPI_INT, 1, 2, comm));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Bsend(&value, 1, MPI_INT, 1, 3, comm));
        CHECK_SUCCESS(MPI_Session_flush_buffer(session));
        void *back;
        MPI_Count size;
        CHECK_SUCCESS(MPI_Session_detach_buffer_c(session, &back, &size));
        CHECK(back == memory && size == sizeof memory);
        // MPI_BUFFER_AUTOMATIC: "automatic buffering is enabled".
        CHECK_SUCCESS(MPI_Session_attach_buffer(session, MPI_BUFFER_AUTOMATIC, 0));
        CHECK_SUCCESS(MPI_Bsend(&value, 1, MPI_INT, 1, 4, comm));
        // MPI_Session_finalize delivers it.
    } else {
        CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE));
        for (int tag = 1; tag <= 4; ++tag)
            if (tag != 2)
                CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE));
    }
    CHECK_SUCCESS(MPI_Comm_free(&comm));
    close_session(&session);
    return 0;
}

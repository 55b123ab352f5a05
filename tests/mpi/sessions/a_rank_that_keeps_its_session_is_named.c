// MPI 5.0 section 11.3.1: "Every instantiated Session must be finalized using
// MPI_SESSION_FINALIZE."
// ranks: 3
// exit: 1
// expect: rank 1 ended with exit code 0 without calling MPI_Session_finalize
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "kept");
    int rank;
    MPI_Comm_rank(comm, &rank);
    CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    if (rank != 1)
        close_session(&session);
    return 0;
}

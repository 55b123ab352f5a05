// MPI 5.0 section 11.3.1: "The call to MPI_SESSION_FINALIZE does not free objects created by MPI
// calls; these objects are freed using MPI_XXX_FREE, MPI_COMM_DISCONNECT, or MPI_FILE_CLOSE calls."
// A rank that has left some ends well; without the option it gets warnings.
// ranks: 3
// options: --check=off
// expect-not: thrum:
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "left"), copy;
    MPI_Group group;
    MPI_Errhandler handler;
    check_communication(comm);
    CHECK_SUCCESS(MPI_Comm_dup(comm, &copy));
    CHECK_SUCCESS(MPI_Comm_group(comm, &group));
    CHECK_SUCCESS(MPI_Session_get_errhandler(session, &handler));
    close_session(&session);
    return 0;
}

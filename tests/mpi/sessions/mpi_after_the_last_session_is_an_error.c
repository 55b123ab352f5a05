// MPI 5.0 section 11.3.1: "Once MPI_SESSION_FINALIZE returns, no MPI procedure may be called in the
// Sessions Model that are related to this session (not even freeing objects that are derived from
// this session), except for those listed in Section" 11.4.1.
// ranks: 2
// exit: nonzero
// expect: rank [01]: MPI_Comm_size: .*when the last session has been finalized
// expect-not: still here
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://SELF", "left over");
    close_session(&session);
    int size;
    MPI_Comm_size(comm, &size);
    printf("still here\n");
    return 0;
}

// MPI 5.0 section 11.1: "MPI_COMM_WORLD is only valid for use as a communicator in the World Model,
// i.e., after a successful call to MPI_INIT or MPI_INIT_THREAD and before a call to MPI_FINALIZE."
// Section 11.3: "MPI_INFO_ENV is not valid for use as an info object when only using the Sessions
// Model."
// ranks: 2
// exit: nonzero
// expect: rank [01]: MPI_Comm_size: MPI_ERR_COMM: comm is MPI_COMM_WORLD
// expect: MPI_INFO_ENV is not valid
// expect-not: still here
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN), second = MPI_SESSION_NULL;
    CHECK(session != MPI_SESSION_NULL);
    int class, size;
    MPI_Error_class(MPI_Session_init(MPI_INFO_ENV, MPI_ERRORS_RETURN, &second), &class);
    if (class == MPI_ERR_INFO)
        printf("MPI_INFO_ENV is not valid\n");
    fflush(stdout);
    MPI_Comm_size(MPI_COMM_WORLD, &size); // the initial error handler: fatal
    printf("still here\n");
    return 0;
}

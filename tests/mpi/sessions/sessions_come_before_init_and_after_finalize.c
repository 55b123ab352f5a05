// MPI 5.0 section 11.3: "In the Sessions Model, MPI resources can be allocated and freed multiple
// times in an MPI process." "MPI cannot be initialized more than once; and MPI cannot be
// reinitialized after MPI_FINALIZE has been called" is what it does away with.
// ranks: 3
#include "session.h"

static void use_mpi_once(const char *tag) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", tag);
    check_communication(comm);
    CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    close_session(&session);
}

int main(void) {
    for (int i = 0; i < 3; ++i)
        use_mpi_once("before");
    CHECK_SUCCESS(MPI_Init(NULL, NULL));
    use_mpi_once("beside");
    CHECK_SUCCESS(MPI_Finalize());
    for (int i = 0; i < 3; ++i)
        use_mpi_once("after");
    return 0;
}

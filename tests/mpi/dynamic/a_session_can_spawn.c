// MPI 5.0 section 11.3: "an MPI process instantiates an MPI Session handle, which can be used to
// query the runtime system about characteristics of the job within which the process is running". A
// communicator of a session serves for MPI_Comm_spawn; the children's set mpi://WORLD is their own.
// ranks: 2
// ends: n + 3
#include "../sessions/session.h"

int main(int argc, char **argv) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "parents and children");
    int size;
    MPI_Comm_size(comm, &size);
    if (argc > 1) {
        CHECK_EQUAL(size, 3);
        check_communication(comm);
    } else {
        char *arguments[] = {"child", NULL};
        MPI_Comm children;
        CHECK_EQUAL(size, 2);
        CHECK_SUCCESS(MPI_Comm_spawn(argv[0], arguments, 3, MPI_INFO_NULL, 0, comm, &children,
                                     MPI_ERRCODES_IGNORE));
        int remote;
        MPI_Comm_remote_size(children, &remote);
        CHECK_EQUAL(remote, 3);
        CHECK_SUCCESS(MPI_Comm_free(&children));
    }
    CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    CHECK_SUCCESS(MPI_Session_finalize(&session));
    return 0;
}

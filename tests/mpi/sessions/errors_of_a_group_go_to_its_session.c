// MPI 5.0 section 9.3: "Similarly, a group contains a reference to the session from which it was
// derived, and procedures on groups invoke the error handler from that session. The referenced
// object may have been destroyed before an error is raised (e.g., a procedure on a group derived
// from a session that has been finalized), in this case, the associated error handler for the
// object cannot be obtained."
// ranks: 2
#include "session.h"

static MPI_Session told = MPI_SESSION_NULL;
static int calls = 0, told_class = MPI_SUCCESS;

static void note(MPI_Session *session, int *code, ...) {
    told = *session;
    ++calls;
    MPI_Error_class(*code, &told_class);
}

int main(void) {
    MPI_Errhandler handler;
    CHECK_SUCCESS(MPI_Session_create_errhandler(note, &handler));
    MPI_Session session = open_session(handler), other = open_session(MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    MPI_Group group, part, quiet, none;
    CHECK_SUCCESS(MPI_Group_from_session_pset(session, "mpi://WORLD", &group));
    CHECK_SUCCESS(MPI_Group_from_session_pset(other, "mpi://WORLD", &quiet));
    CHECK_EQUAL(calls, 0);

    int wrong = 1000;
    CHECK_ERROR(MPI_Group_incl(group, 1, &wrong, &none), MPI_ERR_RANK);
    CHECK(calls == 1 && told == session);
    CHECK_EQUAL(told_class, MPI_ERR_RANK);
    // Objects made from the group are derived from the session, too; also a communicator's group.
    int first = 0;
    CHECK_SUCCESS(MPI_Group_incl(group, 1, &first, &part));
    CHECK_ERROR(MPI_Group_incl(part, 1, &wrong, &none), MPI_ERR_RANK);
    CHECK_EQUAL(calls, 2);
    MPI_Comm comm = communicator_of(session, "mpi://SELF", "errors");
    MPI_Group of_comm;
    CHECK_SUCCESS(MPI_Comm_group(comm, &of_comm));
    CHECK_ERROR(MPI_Group_incl(of_comm, 1, &wrong, &none), MPI_ERR_RANK);
    CHECK_EQUAL(calls, 3);
    // Another session's group is its own.
    CHECK_ERROR(MPI_Group_incl(quiet, 1, &wrong, &none), MPI_ERR_RANK);
    CHECK_EQUAL(calls, 3);
    // A communicator has an error handler of its own.
    CHECK_ERROR(MPI_Send(&wrong, 1, MPI_INT, 7, 0, comm), MPI_ERR_RANK);
    CHECK_EQUAL(calls, 3);
    CHECK_ERROR(MPI_Group_from_session_pset(session, "mpi://NOBODY", &none), MPI_ERR_ARG);
    CHECK_EQUAL(calls, 4);
    MPI_Group_free(&of_comm);
    MPI_Group_free(&part);
    MPI_Group_free(&group);
    MPI_Group_free(&quiet);
    MPI_Comm_free(&comm);
    close_session(&session);
    close_session(&other);
    return 0;
}

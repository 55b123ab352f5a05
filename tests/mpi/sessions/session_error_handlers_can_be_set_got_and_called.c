// MPI 5.0 section 9.3.4: MPI_SESSION_SET_ERRHANDLER: "Attaches a new error handler to a session.
// The error handler must be either a predefined error handler, or an error handler created by a
// call to MPI_SESSION_CREATE_ERRHANDLER." MPI_SESSION_GET_ERRHANDLER: "Retrieves the error handler
// currently associated with a session."
// ranks: 1 2
#include "session.h"

static int calls = 0, last_code = 0;

static void note(MPI_Session *session, int *code, ...) {
    CHECK(*session != MPI_SESSION_NULL);
    ++calls;
    last_code = *code;
}

static void never(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    (void)code;
    CHECK(0);
}

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Errhandler handler, of_comms, got;
    CHECK_SUCCESS(MPI_Session_get_errhandler(session, &got));
    CHECK(got == MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Session_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Comm_create_errhandler(never, &of_comms));
    CHECK_ERROR(MPI_Session_set_errhandler(session, of_comms), MPI_ERR_ERRHANDLER);
    CHECK_SUCCESS(MPI_Session_set_errhandler(session, handler));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler)); // the session has its own reference
    CHECK_SUCCESS(MPI_Session_get_errhandler(session, &got));
    CHECK(got != MPI_ERRHANDLER_NULL && got != MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Errhandler_free(&got));

    CHECK_SUCCESS(MPI_Session_call_errhandler(session, MPI_ERR_TOPOLOGY));
    CHECK(calls == 1 && last_code == MPI_ERR_TOPOLOGY);
    int count;
    CHECK_ERROR(MPI_Session_get_num_psets(session, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    CHECK_EQUAL(calls, 2);
    CHECK_SUCCESS(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK_EQUAL(calls, 2);
    CHECK_SUCCESS(MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN));
    CHECK_ERROR(MPI_Session_get_num_psets(session, MPI_INFO_NULL, NULL), MPI_ERR_ARG);
    CHECK_EQUAL(calls, 2);
    CHECK_SUCCESS(MPI_Errhandler_free(&of_comms));
    close_session(&session);
    return 0;
}

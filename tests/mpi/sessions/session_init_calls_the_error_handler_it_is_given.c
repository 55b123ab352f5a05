// MPI 5.0 section 11.3.1: "The errhandler argument specifies an error handler to invoke in the
// event that the Session instantiation call encounters an error. The error handler shall be either
// a pre-defined error handler (see Section Error Handling) or one created using
// MPI_SESSION_CREATE_ERRHANDLER."
// ranks: 1 2
#include "session.h"

static int calls = 0;

static void note(MPI_Session *session, int *code, ...) {
    CHECK(*session == MPI_SESSION_NULL);
    CHECK(*code != MPI_SUCCESS);
    ++calls;
}

int main(void) {
    MPI_Errhandler handler;
    MPI_Info info;
    MPI_Session session = MPI_SESSION_NULL;
    CHECK_SUCCESS(MPI_Session_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "thread_level", "MPI_THREAD_FEARLESS"));
    CHECK_ERROR(MPI_Session_init(info, handler, &session), MPI_ERR_INFO_VALUE);
    CHECK_EQUAL(calls, 1);
    CHECK_ERROR(MPI_Session_init(info, MPI_ERRORS_RETURN, &session), MPI_ERR_INFO_VALUE);
    CHECK_EQUAL(calls, 1);
    CHECK_SUCCESS(MPI_Info_set(info, "thread_level", "MPI_THREAD_FUNNELED"));
    CHECK_SUCCESS(MPI_Session_init(info, handler, &session));
    CHECK_EQUAL(calls, 1);
    CHECK_SUCCESS(MPI_Info_free(&info));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    close_session(&session);
    return 0;
}

// MPI 5.0 section 7.4.2: MPI_COMM_CREATE_FROM_GROUP: "The errhandler argument specifies an error
// handler to be attached to the new intra-communicator. Furthermore, the error handler specified by
// the errhandler argument will be invoked if an error is encountered during the invocation of the
// MPI_COMM_CREATE_FROM_GROUP procedure." MPI_INTERCOMM_CREATE_FROM_GROUPS likewise. The session's
// own handler would end the program.
// ranks: 2
#include "session.h"

static int calls = 0, last_class = 0;

static void note(MPI_Comm *comm, int *code, ...) {
    ++calls;
    CHECK(*comm == MPI_COMM_NULL);
    MPI_Error_class(*code, &last_class);
}

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler handler;
    MPI_Group world, self;
    MPI_Comm comm = MPI_COMM_NULL;
    char too_long[MPI_MAX_STRINGTAG_LEN + 10];
    memset(too_long, 'x', sizeof too_long);
    too_long[sizeof too_long - 1] = '\0';
    CHECK_SUCCESS(MPI_Comm_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    CHECK_SUCCESS(MPI_Group_from_session_pset(session, "mpi://SELF", &self));

    CHECK_ERROR(MPI_Comm_create_from_group(world, too_long, MPI_INFO_NULL, handler, &comm),
                MPI_ERR_ARG);
    CHECK_EQUAL(calls, 1);
    CHECK_EQUAL(last_class, MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_create_from_group(MPI_GROUP_NULL, "tag", MPI_INFO_NULL, handler, &comm),
                MPI_ERR_GROUP);
    CHECK_EQUAL(calls, 2);
    CHECK_ERROR(
        MPI_Comm_create_from_group(world, too_long, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm),
        MPI_ERR_ARG);
    CHECK_EQUAL(calls, 2);
    CHECK_ERROR(
        MPI_Intercomm_create_from_groups(self, 5, world, 0, "tag", MPI_INFO_NULL, handler, &comm),
        MPI_ERR_RANK);
    CHECK_EQUAL(calls, 3);
    CHECK_ERROR(
        MPI_Intercomm_create_from_groups(self, 0, self, 0, "tag", MPI_INFO_NULL, handler, &comm),
        MPI_ERR_RANK);
    CHECK_EQUAL(calls, 4);
    CHECK(comm == MPI_COMM_NULL);

    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    CHECK_SUCCESS(MPI_Group_free(&world));
    CHECK_SUCCESS(MPI_Group_free(&self));
    close_session(&session);
    return 0;
}

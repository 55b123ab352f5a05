// MPI 5.0 section 9.4: MPI_ERR_SESSION: "Invalid session argument". Each argument of each function
// of section 11.3 is refused if it is wrong, with the class of the argument.
// ranks: 1 2
#include "session.h"

// Null, or finalized.
static void use_bad_session(MPI_Session bad) {
    MPI_Session handle = bad;
    MPI_Errhandler handler;
    MPI_Info info;
    MPI_Group group;
    MPI_Request request;
    void *buffer;
    int n = 64;
    char name[64];
    CHECK_ERROR(MPI_Session_finalize(&handle), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_get_num_psets(bad, MPI_INFO_NULL, &n), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_get_nth_pset(bad, MPI_INFO_NULL, 0, &n, name), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_get_info(bad, &info), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_get_pset_info(bad, "mpi://SELF", &info), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Group_from_session_pset(bad, "mpi://SELF", &group), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_set_errhandler(bad, MPI_ERRORS_RETURN), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_get_errhandler(bad, &handler), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_call_errhandler(bad, MPI_ERR_ARG), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_attach_buffer(bad, name, sizeof name), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_detach_buffer(bad, &buffer, &n), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_flush_buffer(bad), MPI_ERR_SESSION);
    CHECK_ERROR(MPI_Session_iflush_buffer(bad, &request), MPI_ERR_SESSION);
}

static void use_wrong_psets(MPI_Session session) {
    MPI_Info info;
    MPI_Group group;
    int count = 0, n = 64;
    char name[64];
    CHECK_SUCCESS(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK_ERROR(MPI_Session_get_num_psets(session, (MPI_Info)&n, &n), MPI_ERR_INFO);
    CHECK_ERROR(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, -1, &n, name), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, count, &n, name), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, NULL, name), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &n, NULL), MPI_ERR_ARG);
    n = -1;
    CHECK_ERROR(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &n, name), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Session_get_pset_info(session, "mpi://NONE", &info), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Session_get_pset_info(session, NULL, &info), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Group_from_session_pset(session, NULL, &group), MPI_ERR_ARG);
}

static void create_wrongly(MPI_Session session) {
    static char long_tag[MPI_MAX_STRINGTAG_LEN + 2];
    MPI_Info none = MPI_INFO_NULL;
    MPI_Errhandler quiet = MPI_ERRORS_RETURN;
    MPI_Group group;
    MPI_Comm comm;
    memset(long_tag, 't', sizeof long_tag - 1);
    CHECK_SUCCESS(MPI_Group_from_session_pset(session, "mpi://SELF", &group));
    CHECK_ERROR(MPI_Comm_create_from_group(group, long_tag, none, quiet, &comm), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_create_from_group(group, NULL, none, quiet, &comm), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_create_from_group(MPI_GROUP_NULL, "x", none, quiet, &comm), MPI_ERR_GROUP);
    CHECK_ERROR(MPI_Intercomm_create_from_groups(group, 1, group, 0, "x", none, quiet, &comm),
                MPI_ERR_RANK);
    CHECK_ERROR(MPI_Intercomm_create_from_groups(group, 0, group, 5, "x", none, quiet, &comm),
                MPI_ERR_RANK);
    CHECK_ERROR(
        MPI_Intercomm_create_from_groups(group, 0, MPI_GROUP_NULL, 0, "x", none, quiet, &comm),
        MPI_ERR_GROUP);
    CHECK_SUCCESS(MPI_Group_free(&group));
}

int main(void) {
    // Errors that belong to no object go to MPI_COMM_SELF in the World Model.
    CHECK_SUCCESS(MPI_Init(NULL, NULL));
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Session session = open_session(MPI_ERRORS_RETURN), none = MPI_SESSION_NULL;
    MPI_Session stale = open_session(MPI_ERRORS_RETURN), closed = stale;
    MPI_Barrier(MPI_COMM_WORLD); // no rank makes one where another's closed one was
    close_session(&closed);
    int n = 0;
    char memory[64];
    CHECK_ERROR(MPI_Session_init((MPI_Info)&n, MPI_ERRORS_RETURN, &none), MPI_ERR_INFO);
    CHECK_ERROR(MPI_Session_init(MPI_INFO_NULL, MPI_ERRHANDLER_NULL, &none), MPI_ERR_ERRHANDLER);
    CHECK_ERROR(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, NULL), MPI_ERR_ARG);
    use_bad_session(MPI_SESSION_NULL);
    use_bad_session(stale);
    use_wrong_psets(session);
    CHECK_ERROR(MPI_Session_set_errhandler(session, MPI_ERRHANDLER_NULL), MPI_ERR_ERRHANDLER);
    CHECK_ERROR(MPI_Session_attach_buffer(session, memory, -1), MPI_ERR_COUNT);
    create_wrongly(session);
    close_session(&session);
    CHECK_SUCCESS(MPI_Finalize());
    return 0;
}

// For whole-program tests of the Sessions Model: a session, and the communicator of one of its
// process sets.
#ifndef THRUM_TESTS_SESSION_H
#define THRUM_TESTS_SESSION_H
#include "check.h"

#include <stdlib.h>
#include <string.h>

static inline MPI_Session open_session(MPI_Errhandler errhandler) {
    MPI_Session session = MPI_SESSION_NULL;
    CHECK_SUCCESS(MPI_Session_init(MPI_INFO_NULL, errhandler, &session));
    CHECK(session != MPI_SESSION_NULL);
    return session;
}

static inline void close_session(MPI_Session *session) {
    CHECK_SUCCESS(MPI_Session_finalize(session));
    CHECK(*session == MPI_SESSION_NULL);
}

static inline MPI_Comm communicator_of(MPI_Session session, const char *pset, const char *tag) {
    MPI_Group group;
    MPI_Comm comm;
    CHECK_SUCCESS(MPI_Group_from_session_pset(session, pset, &group));
    CHECK_SUCCESS(MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm));
    CHECK_SUCCESS(MPI_Group_free(&group));
    CHECK(comm != MPI_COMM_NULL);
    return comm;
}

// The sum of all ranks: whether everybody of `comm` can be heard.
static inline void check_communication(MPI_Comm comm) {
    int rank, size, sum = -1;
    CHECK_SUCCESS(MPI_Comm_rank(comm, &rank));
    CHECK_SUCCESS(MPI_Comm_size(comm, &size));
    CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK_EQUAL(sum, size * (size - 1) / 2);
}

static inline int has_value(MPI_Info info, const char *key, const char *expected) {
    char value[MPI_MAX_INFO_VAL];
    int length = sizeof value, flag = 0;
    CHECK_SUCCESS(MPI_Info_get_string(info, key, &length, value, &flag));
    return flag && strcmp(value, expected) == 0;
}
#endif

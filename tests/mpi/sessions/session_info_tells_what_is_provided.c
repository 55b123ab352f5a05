// MPI 5.0 section 11.3.1: "The thread support level actually provided by the MPI implementation can
// be determined via a subsequent call to MPI_SESSION_GET_INFO to return the info object associated
// with the Session." Section 11.4.3: "If mpi_memory_alloc_kinds was supplied during session
// creation, then the value of the corresponding key in the info object returned by
// MPI_SESSION_GET_INFO must include all requested memory allocation kinds that are supported. The
// substrings that indicate support for these memory allocation kinds must be identical to those
// supplied by the user."
// ranks: 2
#include "session.h"

// Whether `element` stands in the comma-separated value of `key`.
static int lists(MPI_Info info, const char *key, const char *element) {
    char value[MPI_MAX_INFO_VAL];
    int length = sizeof value, flag = 0;
    CHECK_SUCCESS(MPI_Info_get_string(info, key, &length, value, &flag));
    CHECK(flag);
    for (char *word = strtok(value, ","); word; word = strtok(NULL, ","))
        if (strcmp(word, element) == 0)
            return 1;
    return 0;
}

int main(void) {
    const char *kinds = "mpi_memory_alloc_kinds";
    MPI_Info asked, used;
    MPI_Session plain = open_session(MPI_ERRORS_RETURN), session;
    CHECK_SUCCESS(MPI_Session_get_info(plain, &used));
    CHECK(lists(used, kinds, "mpi") && lists(used, kinds, "system"));
    CHECK_SUCCESS(MPI_Info_free(&used));

    CHECK_SUCCESS(MPI_Info_create(&asked));
    CHECK_SUCCESS(MPI_Info_set(asked, "thread_level", "MPI_THREAD_MULTIPLE"));
    CHECK_SUCCESS(MPI_Info_set(asked, kinds, "system,gpu:device,mpi:alloc_mem:win_allocate"));
    CHECK_SUCCESS(MPI_Info_set(asked, "no_such_hint", "1"));
    CHECK_SUCCESS(MPI_Session_init(asked, MPI_ERRORS_RETURN, &session));
    CHECK_SUCCESS(MPI_Info_free(&asked));
    CHECK_SUCCESS(MPI_Session_get_info(session, &used));
    CHECK(has_value(used, "thread_level", "MPI_THREAD_MULTIPLE"));
    CHECK(lists(used, kinds, "mpi") && lists(used, kinds, "system"));
    CHECK(lists(used, kinds, "mpi:alloc_mem:win_allocate"));
    CHECK(!lists(used, kinds, "gpu:device"));
    int flag = 1, length = 0;
    CHECK_SUCCESS(MPI_Info_get_string(used, "no_such_hint", &length, NULL, &flag));
    CHECK(!flag);

    // "The mpi_memory_alloc_kinds info key must also be contained in the info object returned by
    // MPI_COMM_GET_INFO": of a communicator that of its session.
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "kinds");
    MPI_Info of_comm;
    CHECK_SUCCESS(MPI_Comm_get_info(comm, &of_comm));
    CHECK(lists(of_comm, kinds, "mpi:alloc_mem:win_allocate"));
    CHECK_SUCCESS(MPI_Info_free(&of_comm));
    CHECK_SUCCESS(MPI_Info_free(&used));
    CHECK_SUCCESS(MPI_Comm_disconnect(&comm));
    close_session(&session);
    close_session(&plain);
    return 0;
}

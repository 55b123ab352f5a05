// MPI 5.0 section 11.3.2: "Two process set names are mandated: "mpi://WORLD" and "mpi://SELF"."
// "The mpi_size key is mandatory for all process sets." Section 11.3.3: "If pset_len is set to 0,
// pset_name is not changed. On return, the value of pset_len will be set to the required buffer
// size to hold the process set name. In C, pset_len includes the required space for the null
// terminator. In C, this function returns a null terminated string in all cases where the pset_len
// input value is greater than 0."
// ranks: 1 4
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm world = communicator_of(session, "mpi://WORLD", "psets");
    int size, count = 0, seen_world = 0, seen_self = 0;
    MPI_Comm_size(world, &size);
    CHECK_SUCCESS(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count));
    CHECK(count >= 2);
    for (int n = 0; n < count; ++n) {
        int length = 0, again = 0;
        char name[MPI_MAX_PSET_NAME_LEN] = "untouched", shorter[5] = "xxxx";
        CHECK_SUCCESS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name));
        CHECK(strcmp(name, "untouched") == 0);
        again = length;
        CHECK_SUCCESS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &again, name));
        CHECK_EQUAL(again, length);
        CHECK_EQUAL(strlen(name) + 1, length);
        again = sizeof shorter;
        CHECK_SUCCESS(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &again, shorter));
        CHECK_EQUAL(again, length);
        CHECK(strlen(shorter) == 4 && strncmp(shorter, name, 4) == 0);
        int is_world = strcmp(name, "mpi://WORLD") == 0, is_self = strcmp(name, "mpi://SELF") == 0;
        seen_world += is_world;
        seen_self += is_self;

        MPI_Info info;
        char expected[16];
        snprintf(expected, sizeof expected, "%d", is_world ? size : 1);
        CHECK_SUCCESS(MPI_Session_get_pset_info(session, name, &info));
        if (is_world || is_self)
            CHECK(has_value(info, "mpi_size", expected));
        CHECK_SUCCESS(MPI_Info_free(&info));
    }
    CHECK(seen_world == 1 && seen_self == 1);
    MPI_Comm self = communicator_of(session, "mpi://SELF", "psets");
    int self_size = 0;
    MPI_Comm_size(self, &self_size);
    CHECK_EQUAL(self_size, 1);
    MPI_Comm_free(&self);
    MPI_Comm_free(&world);
    close_session(&session);
    return 0;
}

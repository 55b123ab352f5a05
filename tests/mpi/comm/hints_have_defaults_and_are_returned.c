// MPI 5.0 section 7.4.4: "An MPI implementation is required to return all hints that are supported
// by the implementation and have default values specified; any user-supplied hints that were not
// ignored by the implementation; and any additional hints that were set by the implementation."
// "This operation has no effect on previously set or defaulted hints that are not specified by
// info."
// ranks: 1 3
#include "world.h"

static const char *const assertions[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                         "mpi_assert_exact_length", "mpi_assert_allow_overtaking",
                                         "mpi_assert_strict_persistent_collective_ordering"};

// Returns the hint of `comm`; "" if there is none.
static const char *hint(MPI_Comm comm, const char *key) {
    static char value[64];
    int length = sizeof value, found;
    MPI_Info used;
    CHECK_SUCCESS(MPI_Comm_get_info(comm, &used));
    MPI_Info_get_string(used, key, &length, value, &found);
    MPI_Info_free(&used);
    return found ? value : "";
}

static void set(MPI_Comm comm, const char *key, const char *value) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    CHECK_SUCCESS(MPI_Comm_set_info(comm, info));
    MPI_Info_free(&info);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 5; ++i)
        CHECK(strcmp(hint(comm, assertions[i]), "false") == 0);
    set(comm, assertions[2], "true");
    set(comm, assertions[0], "true");
    set(comm, assertions[0], "false");
    set(comm, assertions[3], "perhaps"); // no boolean: ignored
    for (int i = 0; i < 5; ++i)
        CHECK(strcmp(hint(comm, assertions[i]), i == 2 ? "true" : "false") == 0);
    // The library ignores hints that it does not know, and does not return them.
    set(comm, "mpi_assert_the_moon_is_full", "true");
    CHECK(strcmp(hint(comm, "mpi_assert_the_moon_is_full"), "") == 0);
    MPI_Comm_free(&comm);
    return finish();
}

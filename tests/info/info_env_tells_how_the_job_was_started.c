// MPI 5.0 section 11.2.1: MPI_INFO_ENV may hold command, "Name of program executed", argv,
// maxprocs, "Maximum number of MPI processes to start", wdir and others; none of them has to be
// there.
// ranks: 1 3
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int count, flag, length;
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
    CHECK_SUCCESS(MPI_Info_get_nkeys(MPI_INFO_ENV, &count));
    for (int n = 0; n < count; ++n) {
        CHECK_SUCCESS(MPI_Info_get_nthkey(MPI_INFO_ENV, n, key));
        length = sizeof value;
        CHECK_SUCCESS(MPI_Info_get_string(MPI_INFO_ENV, key, &length, value, &flag));
        CHECK(flag);
        if (strcmp(key, "maxprocs") == 0)
            CHECK_EQUAL(atoi(value), size);
        if (strcmp(key, "command") == 0)
            CHECK(strstr(value, "info_env_tells") != NULL);
        if (strcmp(key, "wdir") == 0)
            CHECK_EQUAL(value[0], '/');
    }
    return finish();
}

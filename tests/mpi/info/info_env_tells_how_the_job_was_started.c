// MPI 5.0 section 11.2.1: MPI_INFO_ENV may hold command, "Name of program executed", argv,
// maxprocs, "Maximum number of MPI processes to start", wdir, arch and host. None of them has to be
// there; Thrum knows all six.
// ranks: 1 3
// args: first "second and third"
#include "world.h"

#include <sys/utsname.h>
#include <unistd.h>

// The value of a key that must be there.
static const char *value_of(const char *key) {
    static char value[MPI_MAX_INFO_VAL];
    int flag = 0, length = sizeof value;
    CHECK_SUCCESS(MPI_Info_get_string(MPI_INFO_ENV, key, &length, value, &flag));
    if (!flag)
        fprintf(stderr, "missing: %s\n", key);
    CHECK(flag);
    CHECK_EQUAL(length, strlen(value) + 1);
    return value;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    char directory[4096];
    struct utsname machine;
    int count;
    CHECK(getcwd(directory, sizeof directory) != NULL);
    CHECK_EQUAL(uname(&machine), 0);
    CHECK_SUCCESS(MPI_Info_get_nkeys(MPI_INFO_ENV, &count));
    CHECK_EQUAL(count, 6);
    CHECK_EQUAL(strcmp(value_of("command"), argv[0]), 0);
    CHECK_EQUAL(strcmp(value_of("argv"), "first second and third"), 0);
    CHECK_EQUAL(atoi(value_of("maxprocs")), size);
    CHECK_EQUAL(strcmp(value_of("wdir"), directory), 0);
    CHECK_EQUAL(strcmp(value_of("arch"), machine.machine), 0);
    CHECK_EQUAL(strcmp(value_of("host"), machine.nodename), 0);
    return finish();
}

// ranks: 8
// env: THRUM_TEST_LIST=a:b:c
// POSIX: the environment is the process's; here each rank's. Also values that a program cuts up,
// and those that it stores into `environ` itself.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    char value[32], entry[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(getenv("PATH") != NULL);
    CHECK(getenv("THRUM_RANKS") == NULL);

    CHECK(!strcmp(getenv("THRUM_TEST_LIST"), "a:b:c"));
    strtok(getenv("THRUM_TEST_LIST"), ":");
    CHECK(!strcmp(getenv("THRUM_TEST_LIST"), "a"));

    snprintf(value, sizeof value, "value-%d", rank);
    CHECK_EQUAL(setenv("MINE", value, 1), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(getenv("MINE"), value));
    CHECK_EQUAL(setenv("MINE", "other", 0), 0);
    CHECK(!strcmp(getenv("MINE"), value));

    snprintf(entry, sizeof entry, "PUT=%d", rank);
    CHECK_EQUAL(putenv(entry), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(atoi(getenv("PUT")), rank);
    snprintf(entry, sizeof entry, "PUT=%d", rank + 1); // putenv keeps the string itself
    CHECK_EQUAL(atoi(getenv("PUT")), rank + 1);

    int seen = 0;
    for (char **e = environ; *e; ++e)
        seen += !strncmp(*e, "MINE=", 5) && !strcmp(*e + 5, value);
    CHECK_EQUAL(seen, 1);
    if (rank % 2)
        CHECK_EQUAL(unsetenv("MINE"), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK((getenv("MINE") == NULL) == (rank % 2 == 1));

    errno = 0;
    CHECK_EQUAL(setenv("A=B", "x", 1), -1);
    CHECK_EQUAL(errno, EINVAL);

    static char only[] = "ONLY=1";
    char *own[] = {only, NULL};
    if (rank == 3)
        environ = own;
    if (rank == 5)
        clearenv();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK((getenv("ONLY") != NULL) == (rank == 3));
    CHECK((getenv("PATH") != NULL) == (rank != 3 && rank != 5));
    CHECK_EQUAL(setenv("MORE", "1", 1), 0);
    CHECK(!strcmp(getenv("MORE"), "1"));
    MPI_Finalize();
    return 0;
}

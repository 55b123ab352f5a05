// ranks: 8
// Ranks that begin after another has changed its directory begin where mpiexec was called ($PWD).
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct stat here, expected;
    CHECK(getenv("PWD") != NULL);
    CHECK_EQUAL(stat(".", &here), 0);
    CHECK_EQUAL(stat(getenv("PWD"), &expected), 0);
    CHECK(here.st_dev == expected.st_dev && here.st_ino == expected.st_ino);
    CHECK_EQUAL(chdir("/"), 0);
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

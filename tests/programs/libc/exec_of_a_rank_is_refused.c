// ranks: 2
// expect: rank [01] called exec for /bin/true
// exec would replace every rank of the process; it fails and says so.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <unistd.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    errno = 0;
    CHECK_EQUAL(execl("/bin/true", "true", (char *)NULL), -1);
    CHECK_EQUAL(errno, ENOTSUP);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

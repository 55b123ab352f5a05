// ranks: 4
// C11 7.22.4.4: exit flushes "all open streams with unwritten buffered data". Each rank's at its
// own end.
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static long size_of(const char *name) {
    struct stat status;
    return stat(name, &status) == 0 ? (long)status.st_size : -1;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "/tmp/thrum-flush-%d-%d", (int)getppid(),
             rank % 2 ? rank - 1 : rank);
    if (rank % 2 == 0) {
        FILE *file = fopen(path, "w");
        CHECK(file != NULL);
        fputs("not flushed", file);
        CHECK_EQUAL(size_of(path), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            CHECK_EQUAL(fflush(NULL), 0);
            CHECK_EQUAL(size_of(path), 11);
        }
        MPI_Finalize();
        return 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    for (int i = 0; i < 2000 && size_of(path) != 11; ++i)
        usleep(1000); // until the other rank has ended
    if (size_of(path) != 11)
        _exit(1);
    unlink(path);
    return 0;
}

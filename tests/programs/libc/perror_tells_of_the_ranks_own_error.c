// ranks: 4
// expect: ^rank 1: No such file or directory$
// expect: ^rank 2: Permission denied$
// expect: ^rank 3: Is a directory$
// expect-not: ^rank 0:
// perror() names the error of the calling rank, whatever others have met meanwhile, on the rank's
// own standard error: that of rank 0 is a file.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_line(const char *path, char *line, int line_bytes) {
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    if (!fgets(line, line_bytes, file))
        *line = 0;
    fclose(file);
}

int main(int argc, char **argv) {
    static const int errors[] = {ENOSPC, ENOENT, EACCES, EISDIR};
    int rank;
    char prefix[32], path[] = "/tmp/thrum-perror-XXXXXX", line[128] = "", expected[128];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(prefix, sizeof prefix, "rank %d", rank);
    if (rank == 0) {
        int descriptor = mkstemp(path);
        CHECK(descriptor >= 0);
        close(descriptor);
        CHECK(freopen(path, "w", stderr) == stderr);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    errno = errors[rank];
    for (int i = 0; i < 10; ++i)
        sched_yield(); // the others set theirs
    CHECK_EQUAL(errno, errors[rank]);
    perror(prefix);
    if (rank == 0) {
        read_line(path, line, sizeof line); // what is written before it is flushed is no torn line
        CHECK(!*line || strchr(line, '\n'));
        CHECK_EQUAL(fflush(stderr), 0);
        read_line(path, line, sizeof line);
        snprintf(expected, sizeof expected, "%s: %s\n", prefix, strerror(errors[rank]));
        CHECK(!strcmp(line, expected));
        unlink(path);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

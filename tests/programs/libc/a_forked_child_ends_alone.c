// ranks: 4
// The child of fork() is a process of its own: its exit runs its copy of the handlers and ends it;
// the rank and its peers go on.
#define _GNU_SOURCE
#include "check.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int in_child, pipe_ends[2];

static void handler(void) {
    if (in_child && write(pipe_ends[1], "h", 1) != 1)
        _exit(9);
}

int main(int argc, char **argv) {
    int rank, status;
    char byte;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(handler);
    CHECK_EQUAL(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        in_child = 1;
        usleep(1000);
        exit(30 + rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQUAL(WEXITSTATUS(status), 30 + rank);
    CHECK_EQUAL(read(pipe_ends[0], &byte, 1), 1);
    child = vfork();
    if (child == 0)
        _exit(40 + rank);
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(WEXITSTATUS(status), 40 + rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

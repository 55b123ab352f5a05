// ranks: 6
// system, popen, posix_spawn and fork+exec hand on what the rank has set, and wait for its own
// child.
#define _GNU_SOURCE
#include "check.h"

#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, status;
    char value[32], line[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(value, sizeof value, "%d", rank);
    setenv("MY_RANK", value, 1);
    MPI_Barrier(MPI_COMM_WORLD);

    status = system("exit $((MY_RANK + 10))");
    CHECK(WIFEXITED(status));
    CHECK_EQUAL(WEXITSTATUS(status), rank + 10);

    FILE *pipe = popen("echo from $MY_RANK; exit 3", "r");
    CHECK(pipe != NULL);
    CHECK(fgets(line, sizeof line, pipe) != NULL);
    CHECK_EQUAL(atoi(line + 5), rank);
    status = pclose(pipe);
    CHECK_EQUAL(WEXITSTATUS(status), 3);

    pid_t child;
    char *arguments[] = {"sh", "-c", "exit $MY_RANK", NULL};
    CHECK_EQUAL(posix_spawnp(&child, "sh", NULL, NULL, arguments, environ), 0);
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(WEXITSTATUS(status), rank);

    child = fork();
    if (child == 0) {
        execlp("sh", "sh", "-c", "exit $((MY_RANK + 20))", (char *)NULL);
        _exit(99);
    }
    CHECK(child > 0);
    CHECK_EQUAL(wait(&status), child); // every rank reaps its own
    CHECK_EQUAL(WEXITSTATUS(status), rank + 20);
    CHECK_EQUAL(wait(&status), -1);
    MPI_Finalize();
    return 0;
}

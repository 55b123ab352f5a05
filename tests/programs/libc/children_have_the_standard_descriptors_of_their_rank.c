// ranks: 1 8
// A rank that has sent its standard output elsewhere (dup2, freopen) passes that on to the children
// that it starts with system, popen, posix_spawn or fork and exec. The other ranks' children are
// not concerned.
#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int rank;
static char path[] = "/tmp/thrum-children-XXXXXX";

static void run_children(void) {
    char command[64], *arguments[] = {"sh", "-c", command, NULL};
    int status;
    snprintf(command, sizeof command, "echo system %d", rank);
    CHECK_EQUAL(system(command), 0);
    snprintf(command, sizeof command, "cat; echo popen %d", rank);
    FILE *pipe = popen(command, "w");
    CHECK(pipe != NULL);
    fprintf(pipe, "to popen %d\n", rank);
    CHECK_EQUAL(pclose(pipe), 0);
    snprintf(command, sizeof command, "echo spawn %d; echo error %d >&2", rank, rank);
    pid_t child;
    posix_spawn_file_actions_t actions; // the program's own come after the rank's
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    CHECK_EQUAL(posix_spawn(&child, "/bin/sh", &actions, NULL, arguments, environ), 0);
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    posix_spawn_file_actions_destroy(&actions);
    snprintf(command, sizeof command, "echo exec %d", rank);
    child = fork();
    if (child == 0) {
        execvp("sh", arguments);
        _exit(127);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(status, 0);
    child = fork();
    if (child == 0) { // a child that redirects for itself
        int file = open("/dev/null", O_WRONLY);
        dup2(file, 1);
        printf("lost %d\n", rank);
        fflush(stdout);
        _exit(0);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
}

static void check_file(void) {
    char expected[512], text[512] = "";
    snprintf(expected, sizeof expected,
             "before %d\nsystem %d\nto popen %d\npopen %d\nspawn %d\nerror %d\nexec %d\nafter %d\n",
             rank, rank, rank, rank, rank, rank, rank, rank);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    CHECK(fread(text, 1, sizeof text - 1, file) > 0);
    if (strcmp(text, expected))
        fprintf(stderr, "rank %d has\n%s", rank, text);
    CHECK(!strcmp(text, expected));
    fclose(file);
    unlink(path);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int file = mkostemp(path, O_APPEND), saved = dup(1);
    CHECK(file >= 0 && saved >= 0);
    if (rank % 2)
        CHECK(freopen(path, "a", stdout) == stdout);
    else
        CHECK_EQUAL(dup2(file, 1), 1);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("before %d\n", rank);
    fflush(stdout);
    run_children();
    MPI_Barrier(MPI_COMM_WORLD);
    printf("after %d\n", rank);
    fflush(stdout);
    CHECK_EQUAL(dup2(saved, 1), 1);
    close(saved);
    close(file);
    check_file();
    // popen for reading: only the rank's own child answers.
    char answer[32] = "", command[32];
    snprintf(command, sizeof command, "echo answer %d", rank);
    FILE *pipe = popen(command, "r");
    CHECK(pipe && fgets(answer, sizeof answer, pipe));
    CHECK_EQUAL(atoi(answer + 7), rank);
    CHECK_EQUAL(pclose(pipe), 0);
    MPI_Finalize();
    return 0;
}

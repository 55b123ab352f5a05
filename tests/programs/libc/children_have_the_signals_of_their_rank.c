// ranks: 1 8
// POSIX exec: signals that are ignored stay so, handlers become the default, the mask is inherited.
// The rank's signals, not the process's. SIGCHLD comes to the rank whose child has ended, wait()
// reaps its own.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank;
static volatile sig_atomic_t children_ended;

static void on_child(int signal) {
    ++children_ended;
}

static void handler(int signal) {}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGUSR1, rank % 2 ? SIG_IGN : handler);
    MPI_Barrier(MPI_COMM_WORLD);
    // The shell sends itself SIGUSR1: it survives if its rank ignores that.
    int status = system("kill -USR1 $$; exit 5");
    CHECK_EQUAL(rank % 2 ? WEXITSTATUS(status) : WTERMSIG(status), rank % 2 ? 5 : SIGUSR1);
    pid_t child = fork();
    if (child == 0) {
        execlp("sh", "sh", "-c", "kill -USR1 $$; exit 6", NULL);
        _exit(127);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(rank % 2 ? WEXITSTATUS(status) : WTERMSIG(status), rank % 2 ? 6 : SIGUSR1);
    // A handler of the rank in a forked child.
    child = fork();
    if (child == 0) {
        raise(SIGUSR1);
        _exit(7);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(WEXITSTATUS(status), 7);
    // SIGCHLD: half of the ranks have children.
    signal(SIGCHLD, on_child);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2 == 0) {
        child = fork();
        if (child == 0)
            _exit(8);
        while (!children_ended)
            usleep(1000);
        CHECK_EQUAL(wait(&status), child);
        CHECK_EQUAL(WEXITSTATUS(status), 8);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(children_ended > 0, rank % 2 == 0);
    CHECK_EQUAL(wait(&status), -1);
    CHECK_EQUAL(errno, ECHILD);
    // SIGCHLD ignored: children are not waited for.
    signal(SIGCHLD, SIG_IGN);
    child = fork();
    if (child == 0)
        _exit(9);
    CHECK_EQUAL(wait(&status), -1);
    CHECK_EQUAL(errno, ECHILD);
    MPI_Finalize();
    return 0;
}

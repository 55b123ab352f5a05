// ranks: 1 8 64
// POSIX sigaction: actions, masks and pending signals are a process's; here each rank's. raise()
// and kill(getpid()) run the handler of the calling rank before they return, on its stack.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught, last_value, order;
static int rank, size;

static void even(int signal) {
    caught = 2;
}

static void odd(int signal, siginfo_t *info, void *context) {
    caught = 3;
    last_value = info->si_value.sival_int;
    if (info->si_pid != getpid() || !context)
        caught = -1;
}

static void first(int signal) {
    order = order * 10 + 1;
}

static void outer(int signal) { // SIGUSR1 is in its mask: it must wait for the end
    raise(SIGUSR1);
    order = order * 10 + 2;
}

static void install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    if (rank % 2) {
        action.sa_sigaction = odd;
        action.sa_flags = SA_SIGINFO;
    } else {
        action.sa_handler = even;
    }
    sigemptyset(&action.sa_mask);
    CHECK_EQUAL(sigaction(SIGUSR2, &action, NULL), 0);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct sigaction old;
    CHECK_EQUAL(sigaction(SIGUSR2, NULL, &old), 0);
    CHECK(old.sa_handler == SIG_DFL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) // our crash reports cannot be seen
        CHECK(signal(SIGSEGV, SIG_DFL) == SIG_DFL);
    if (rank % 4 == 3) {
        CHECK(signal(SIGUSR2, SIG_IGN) == SIG_DFL);
    } else {
        install();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 10; ++i) {
        caught = 0;
        if (rank % 2)
            CHECK_EQUAL(sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 100 + rank}), 0);
        else
            CHECK_EQUAL(i % 2 ? raise(SIGUSR2) : kill(getpid(), SIGUSR2), 0);
        CHECK_EQUAL(caught, rank % 4 == 3 ? 0 : rank % 2 ? 3 : 2);
        if (rank % 4 == 1)
            CHECK_EQUAL(last_value, 100 + rank);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    // Blocked in one rank, not in the next.
    sigset_t set, pending, previous;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    install();
    caught = 0;
    if (rank % 3 == 0) {
        CHECK_EQUAL(sigprocmask(SIG_BLOCK, &set, &previous), 0);
        CHECK(!sigismember(&previous, SIGUSR2));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(raise(SIGUSR2), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(sigpending(&pending), 0);
    CHECK_EQUAL(sigismember(&pending, SIGUSR2), rank % 3 == 0);
    CHECK_EQUAL(caught != 0, rank % 3 != 0);
    if (rank % 3 == 0)
        CHECK_EQUAL(sigprocmask(SIG_SETMASK, &previous, NULL), 0);
    CHECK(caught != 0);
    // sa_mask, and SA_RESETHAND.
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = first;
    CHECK_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
    action.sa_handler = outer;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    CHECK_EQUAL(sigaction(SIGUSR2, &action, NULL), 0);
    CHECK_EQUAL(raise(SIGUSR2), 0);
    CHECK_EQUAL(order, 21);
    CHECK_EQUAL(sigaction(SIGUSR2, NULL, &old), 0);
    CHECK(old.sa_handler == SIG_DFL);
    CHECK_EQUAL(sigaction(SIGKILL, &action, NULL), -1);
    CHECK_EQUAL(errno, EINVAL);
    CHECK_EQUAL(sigaction(65, &action, NULL), -1);
    MPI_Finalize();
    return 0;
}

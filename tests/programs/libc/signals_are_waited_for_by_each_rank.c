// ranks: 1 8
// sigwait, sigtimedwait and sigsuspend wait for signals of the calling rank only, and park.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int rank;
static volatile sig_atomic_t caught;

static void handler(int signal) {
    ++caught;
}

static void *wait_in_thread(void *set) {
    int signal = 0;
    CHECK_EQUAL(sigwait(set, &signal), 0);
    return (void *)(long)signal;
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sigset_t set, old, none;
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGALRM);
    CHECK_EQUAL(sigprocmask(SIG_BLOCK, &set, &old), 0);
    // Pending already; then by a timer; then not at all.
    int signal = 0;
    raise(SIGUSR1);
    CHECK_EQUAL(sigwait(&set, &signal), 0);
    CHECK_EQUAL(signal, SIGUSR1);
    struct itimerval soon = {{0, 0}, {0, 20000}};
    CHECK_EQUAL(setitimer(ITIMER_REAL, &soon, NULL), 0);
    CHECK_EQUAL(sigwaitinfo(&set, NULL), SIGALRM);
    struct timespec short_time = {0, 10000000};
    if (rank % 2)
        raise(SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    errno = 0;
    int result = sigtimedwait(&set, NULL, &short_time);
    CHECK_EQUAL(result, rank % 2 ? SIGUSR1 : -1);
    CHECK_EQUAL(errno, rank % 2 ? 0 : EAGAIN);
    // sigsuspend: the handler runs with the mask that it installs, which then is as before.
    struct sigaction action = {.sa_handler = handler};
    CHECK_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
    raise(SIGUSR1);
    CHECK_EQUAL(caught, 0);
    CHECK_EQUAL(sigsuspend(&none), -1);
    CHECK_EQUAL(errno, EINTR);
    CHECK_EQUAL(caught, 1);
    sigset_t mask;
    CHECK_EQUAL(sigprocmask(SIG_BLOCK, NULL, &mask), 0);
    CHECK(sigismember(&mask, SIGUSR1));
    MPI_Barrier(MPI_COMM_WORLD);
    // A thread of the rank that waits for the rank's signals.
    pthread_t thread;
    void *value = NULL;
    CHECK_EQUAL(pthread_create(&thread, NULL, wait_in_thread, &set), 0);
    usleep(1000);
    CHECK_EQUAL(kill(getpid(), SIGALRM), 0);
    CHECK_EQUAL(pthread_join(thread, &value), 0);
    CHECK_EQUAL((long)value, SIGALRM);
    CHECK_EQUAL(caught, 1);
    MPI_Finalize();
    return 0;
}

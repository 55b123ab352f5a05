// ranks: 1 8
// POSIX alarm, setitimer, timer_create: timers and their signals are each rank's. They interrupt
// a rank that computes, one that sleeps, and one that waits in MPI.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, profiles, timer_value;
static int rank, size;

static void on_alarm(int signal) {
    ++alarms;
}

static void on_profile(int signal) {
    ++profiles;
}

static void on_timer(int signal, siginfo_t *info, void *context) {
    timer_value = info->si_value.sival_int;
    ++alarms;
}

static void catch (int signal, void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    CHECK_EQUAL(sigaction(signal, &action, NULL), 0);
}

static void set_timer(int which, int first_us, int every_us) {
    struct itimerval value = {{0, every_us}, {first_us / 1000000, first_us % 1000000}};
    CHECK_EQUAL(setitimer(which, &value, NULL), 0);
}

static void sleeping_ranks_are_interrupted(void) {
    // A rank that sleeps: only those with an alarm are interrupted.
    if (rank % 2 == 0) {
        set_timer(ITIMER_REAL, 50000, 0);
        unsigned left = sleep(30);
        CHECK(left > 20 && left <= 30);
        CHECK_EQUAL(alarms, 1);
        struct timespec long_time = {30, 0}, rest;
        set_timer(ITIMER_REAL, 20000, 0);
        CHECK_EQUAL(nanosleep(&long_time, &rest), -1);
        CHECK_EQUAL(errno, EINTR);
        CHECK(rest.tv_sec >= 20 && rest.tv_sec < 30);
        set_timer(ITIMER_REAL, 20000, 0);
        CHECK_EQUAL(pause(), -1);
        CHECK_EQUAL(alarms, 3);
    } else {
        CHECK_EQUAL(sleep(0), 0);
        CHECK_EQUAL(usleep(100000), 0);
        CHECK_EQUAL(alarms, 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void alarms_tell_what_is_left_and_interrupt_computing(void) {
    // alarm() returns what is left, in each rank its own. The barrier takes some of it.
    const unsigned seconds = 1000 + 100 * (unsigned)rank;
    CHECK_EQUAL(alarm(seconds), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    unsigned left = alarm(0);
    CHECK(left > seconds - 50 && left <= seconds);
    CHECK_EQUAL(alarm(0), 0);
    // A rank that computes without calling anything.
    alarms = 0;
    set_timer(ITIMER_REAL, 10000, 0);
    while (alarms == 0) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void waiting_in_mpi_goes_on(void) {
    // A rank that waits in MPI goes on waiting; the handler runs meanwhile.
    alarms = 0;
    if (rank == 0) {
        struct timespec pause = {0, 300000000};
        nanosleep(&pause, NULL);
        for (int other = 1; other < size; ++other)
            MPI_Send(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    } else {
        int got = -1;
        set_timer(ITIMER_REAL, 5000, 5000);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        set_timer(ITIMER_REAL, 0, 0);
        CHECK_EQUAL(got, 0);
        CHECK(alarms >= 3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void timers_of_cpu_time_follow_the_rank(void) {
    // CPU time: a rank that sleeps gets no SIGVTALRM.
    catch (SIGVTALRM, on_profile, SA_RESTART);
    set_timer(ITIMER_VIRTUAL, 20000, 0);
    if (rank % 2 == 0) {
        while (profiles == 0) {
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(profiles, rank % 2 == 0);
    set_timer(ITIMER_VIRTUAL, 0, 0);
}

static void timers_bring_their_value(void) {
    // timer_create: the value comes with the signal.
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_timer;
    action.sa_flags = SA_SIGINFO;
    CHECK_EQUAL(sigaction(SIGRTMIN + 1, &action, NULL), 0);
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN + 1;
    event.sigev_value.sival_int = 7000 + rank;
    timer_t timer;
    CHECK_EQUAL(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    // Repeated, since the first signal may come before pause().
    struct itimerspec setting = {{0, 10000000}, {0, 10000000}}, present;
    alarms = 0;
    CHECK_EQUAL(timer_settime(timer, 0, &setting, NULL), 0);
    CHECK_EQUAL(timer_gettime(timer, &present), 0);
    while (alarms == 0)
        pause();
    CHECK_EQUAL(timer_value, 7000 + rank);
    CHECK_EQUAL(timer_delete(timer), 0);
    CHECK_EQUAL(timer_delete(timer), -1);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    catch (SIGALRM, on_alarm, 0);
    sleeping_ranks_are_interrupted();
    alarms_tell_what_is_left_and_interrupt_computing();
    waiting_in_mpi_goes_on();
    timers_of_cpu_time_follow_the_rank();
    timers_bring_their_value();
    MPI_Finalize();
    return 0;
}

// ranks: 64
// timeout: 20
// 64 ranks sleep 0.3 s in turn-taking ways; a worker that slept with its rank would need 19 s or
// more.
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now();
    struct timespec duration = {0, 300000000}, deadline;
    struct timeval limit = {0, 300000};
    switch (rank % 7) {
    case 0:
        CHECK_EQUAL(usleep(300000), 0);
        break;
    case 1:
        CHECK_EQUAL(nanosleep(&duration, NULL), 0);
        break;
    case 2:
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_nsec += 300000000;
        deadline.tv_sec += deadline.tv_nsec / 1000000000;
        deadline.tv_nsec %= 1000000000;
        CHECK_EQUAL(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &deadline, NULL), 0);
        break;
    case 3:
        CHECK_EQUAL(poll(NULL, 0, 300), 0);
        break;
    case 4:
        CHECK_EQUAL(select(0, NULL, NULL, NULL, &limit), 0);
        break;
    case 5:
        CHECK_EQUAL(thrd_sleep(&duration, NULL), 0);
        break;
    case 6:
        while (now() - start < 0.3)
            sched_yield();
        break;
    }
    double slept = now() - start;
    CHECK(slept >= 0.299);
    CHECK(slept < 8);
    CHECK_EQUAL(sleep(0), 0);
    duration.tv_nsec = 1000000000;
    errno = 0;
    CHECK_EQUAL(nanosleep(&duration, NULL), -1);
    CHECK_EQUAL(errno, EINVAL);
    MPI_Finalize();
    return 0;
}

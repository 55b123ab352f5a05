// ranks: 1 8
// POSIX timer_create with SIGEV_THREAD: the function runs in a thread, which belongs to the rank
// that made the timer: it sees that rank's globals and value, again and again until the timer is
// deleted.
#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank;
static atomic_int calls, wrong;

static void function(union sigval value) {
    if (value.sival_int != 300 + rank)
        ++wrong;
    ++calls;
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct sigevent event;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = function;
    event.sigev_value.sival_int = 300 + rank;
    timer_t timer;
    CHECK_EQUAL(timer_create(CLOCK_REALTIME, &event, &timer), 0);
    struct itimerspec setting = {{0, 5000000}, {0, 5000000}};
    CHECK_EQUAL(timer_settime(timer, 0, &setting, NULL), 0);
    while (calls < 3)
        usleep(1000);
    CHECK_EQUAL(timer_delete(timer), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    // Threads may be on their way, for long on a busy machine; a timer that lives would go on.
    int after = -1;
    for (int tries = 0; tries < 100 && calls != after; ++tries) {
        after = calls;
        usleep(50000);
    }
    CHECK_EQUAL(calls, after);
    CHECK_EQUAL(wrong, 0);
    MPI_Finalize();
    return 0;
}

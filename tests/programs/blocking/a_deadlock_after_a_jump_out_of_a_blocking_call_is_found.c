// ranks: 4
// timeout: 30
// exit: 86
// expect: DEADLOCK: all 4 ranks are blocked
// expect: ranks 0-3: MPI_Recv from rank
// Handlers leave calls that block by siglongjmp(): the ranks are no longer in these.
#include "pairs.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static sigjmp_buf place;

static void on_alarm(int signal) {
    siglongjmp(place, 1);
}

int main(int argc, char **argv) {
    start_pairs(&argc, &argv);
    int ends[2];
    char byte = 0;
    CHECK_EQUAL(pipe(ends), 0);
    signal(SIGALRM, on_alarm);
    for (volatile int round = 0; round < 3; ++round) {
        MPI_Barrier(MPI_COMM_WORLD);
        struct itimerval soon = {{0, 0}, {0, 20000}};
        if (sigsetjmp(place, 1) == 0) {
            setitimer(ITIMER_REAL, &soon, NULL);
            struct pollfd polled = {ends[0], POLLIN, 0};
            if (is_first)
                CHECK_EQUAL(read(ends[0], &byte, 1), 1);
            else
                CHECK_EQUAL(poll(&polled, 1, -1), 1);
            CHECK(!"reached");
        }
    }
    MPI_Recv(&byte, 1, MPI_CHAR, partner, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}

// ranks: 8
// exit: 86
// expect: DEADLOCK
// Once the last alarm has come and nothing has changed, the job is deadlocked.
#include "check.h"

#include <signal.h>
#include <sys/time.h>

static void handler(int signal) {}

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGALRM, handler);
    struct itimerval soon = {{0, 0}, {0, 50000 + 10000 * rank}};
    CHECK_EQUAL(setitimer(ITIMER_REAL, &soon, NULL), 0);
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

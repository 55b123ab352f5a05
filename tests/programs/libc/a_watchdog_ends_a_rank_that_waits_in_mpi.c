// ranks: 8
// exit: 9
// expect: ^rank 6 has waited for too long$
// expect-not: DEADLOCK
// alarm() as programs use it: a receive that never completes is ended by the handler of SIGALRM.
// While the alarm is pending the job is not deadlocked.
#include "check.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void give_up(int signal) {
    static const char text[] = "rank 6 has waited for too long\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    MPI_Abort(MPI_COMM_WORLD, 9);
}

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 6) {
        signal(SIGALRM, give_up);
        struct itimerval soon = {{0, 0}, {0, 200000}};
        CHECK_EQUAL(setitimer(ITIMER_REAL, &soon, NULL), 0);
    }
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

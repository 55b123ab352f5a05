// ranks: 8
// exit: 2
// expect: ^thrum: rank 2 called longjmp\(\) in a signal handler that interrupted a blocking MPI call
// A call of MPI that waits cannot be abandoned; a handler that tries is named.
#include "check.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static sigjmp_buf back;

static void give_up(int signal) {
    siglongjmp(back, 1);
}

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        signal(SIGALRM, give_up);
        struct itimerval soon = {{0, 0}, {0, 50000}};
        CHECK_EQUAL(setitimer(ITIMER_REAL, &soon, NULL), 0);
    }
    if (sigsetjmp(back, 1) == 0)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

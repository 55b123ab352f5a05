// ranks: 8
// SIGPIPE: a rank that ignores it gets EPIPE, one that handles it sees its handler run; the others
// are not concerned.
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void handler(int signal) {
    ++caught;
}

int main(int argc, char **argv) {
    int rank, ends[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(signal(SIGPIPE, rank % 2 ? handler : SIG_IGN) == SIG_DFL);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 1; i <= 3; ++i) {
        CHECK_EQUAL(pipe(ends), 0);
        close(ends[0]);
        CHECK_EQUAL(write(ends[1], "x", 1), -1);
        CHECK_EQUAL(errno, EPIPE);
        for (int wait = 0; wait < 1000 && rank % 2 && caught < i; ++wait)
            usleep(1000);
        CHECK_EQUAL(caught, rank % 2 ? i : 0);
        close(ends[1]);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

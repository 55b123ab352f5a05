// Rank 1 fails: it finalizes MPI in a handler of exit(), as Python does. Rank 0 waits for it, and
// rank 2 computes and needs nobody. The report names the exit code, which is the job's, at once.
// ranks: 3
// exit: 7
// expect: rank 1 .* exit code 7 after MPI_Finalize, at .*_compute.c:26 in main, and .* wait for it: rank 0: MPI_Recv
// expect-not: DEADLOCK
// expect-not: rank 2
// timeout: 30
#include <mpi.h>

#include <stdlib.h>
#include <unistd.h>

static void finalize(void) {
    MPI_Finalize();
}

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) {
        atexit(finalize);
        exit(7);
    }
    for (int tenth = 0; tenth < 100; ++tenth) // as long as the job could need under load
        usleep(100000);
    MPI_Finalize();
    return 0;
}

// Two ranks wait for each other. The alarm of a third rank, whose handler might send, keeps them
// from being called stuck until it has rung.
// ranks: 3
// exit: 86
// expect: DEADLOCK: 2 of 3 ranks wait for each other and can never go on: ranks 0,1$
// expect: rank 2: outside MPI
// modes: fibers-2 os-threads processes
#include <mpi.h>

#include <signal.h>
#include <time.h>
#include <unistd.h>

static void ring(int signal_number) {
    (void)signal_number;
}

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        const time_t end = time(NULL) + 100;
        signal(SIGALRM, ring);
        alarm(3);
        MPI_Barrier(MPI_COMM_WORLD);
        while (time(NULL) < end)
            sleep(100); // the alarm ends it early
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

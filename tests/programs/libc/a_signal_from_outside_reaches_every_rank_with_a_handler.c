// ranks: 8
// expect: ^thrum: terminated:
// exit: 143
// A signal that another process sends to the job goes to every rank that has a handler for it,
// whatever the rank is doing. If no rank has one, the process does what it would do without us.
#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank;
static volatile sig_atomic_t caught;

static void handler(int signal) {
    ++caught;
}

static void signal_job(const char *name) {
    char command[64];
    snprintf(command, sizeof command, "kill -%s %d", name, (int)getpid());
    CHECK_EQUAL(system(command), 0);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 7)
        signal(SIGUSR1, handler);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        signal_job("USR1");
        while (!caught)
            usleep(1000);
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (rank == 1) {
        while (!caught) { // computes
        }
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (rank == 2) {
        while (!caught)
            pause();
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 5000 && rank != 7 && !caught; ++i)
            usleep(1000);
    }
    CHECK_EQUAL(caught, rank != 7);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        signal_job("TERM");
    MPI_Barrier(MPI_COMM_WORLD);
    sleep(30);
    MPI_Finalize();
    return 0;
}

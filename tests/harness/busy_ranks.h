// Ranks that are busy while others wait for each other: rank 0 sleeps, rank 1 computes, rank 2
// polls.
#pragma once
#include <mpi.h>

#include <time.h>
#include <unistd.h>

enum { busy_s = 25 }; // longer than a report takes

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Keeps one of the three ranks busy. Leaves the cores to the others until they wait.
static void be_busy(int rank) {
    usleep(500 * 1000);
    const double end = seconds() + busy_s;
    int flag = 0;
    if (rank == 0)
        sleep(busy_s);
    while (seconds() < end)
        if (rank == 2)
            MPI_Iprobe(3, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

// All ranks poll in vain for seven seconds, and stop by themselves: one counts on its stack, others
// look at a clock or a file. None of them is reported.
// ranks: 5
// expect-not: LIVELOCK
// expect-not: DEADLOCK
// timeout: 60
// modes: fibers-2 processes
#include <mpi.h>

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double limit;

static int finds_message(int rank, int size) {
    int flag;
    MPI_Iprobe((rank + 1) % size, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return flag;
}

static int exists(const char *path) {
    const int descriptor = open(path, O_RDONLY);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

int main(int argc, char **argv) {
    int rank, size;
    char path[64] = "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        snprintf(path, sizeof path, "stop.%d.%ld", (int)getpid(), (long)time(NULL));
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    limit = MPI_Wtime() + 7;
    if (rank == 0)
        while (MPI_Wtime() < limit)
            CHECK(!finds_message(rank, size));
    if (rank == 1)
        for (time_t end = time(NULL) + 7; time(NULL) < end;)
            CHECK(!finds_message(rank, size));
    if (rank == 2)
        while (!exists(path))
            CHECK(!finds_message(rank, size));
    if (rank == 3) // some seconds
        for (long polls = 0; polls < 1000000; ++polls)
            CHECK(!finds_message(rank, size));
    if (rank == 4) {
        struct timespec now, pause = {0, 1000000};
        do {
            CHECK(!finds_message(rank, size));
            nanosleep(&pause, NULL);
            clock_gettime(CLOCK_MONOTONIC, &now);
        } while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < limit);
    }
    if (rank == 0)
        close(open(path, O_CREAT | O_WRONLY, 0600));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(path);
    MPI_Finalize();
    return 0;
}

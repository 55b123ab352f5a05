// All ranks poll in vain for seven seconds, and stop by themselves: one counts on its stack, others
// look at a clock or a file. None of them is reported.
// ranks: 6
// expect-not: LIVELOCK
// expect-not: DEADLOCK
// timeout: 60
// modes: fibers-2 processes
#include <mpi.h>

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double limit;

// Looks for a message of the rank itself, so that no other rank can be what it polls for.
static int finds_message(int rank) {
    int flag;
    MPI_Iprobe(rank, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return flag;
}

// Looks by open() and by stat() in turns.
static int exists(const char *path) {
    static int looks;
    struct stat status;
    if (looks++ % 2)
        return stat(path, &status) == 0;
    const int descriptor = open(path, O_RDONLY);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

int main(int argc, char **argv) {
    int rank;
    char path[64] = "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        snprintf(path, sizeof path, "stop.%d.%ld", (int)getpid(), (long)time(NULL));
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    limit = MPI_Wtime() + 7;
    if (rank == 0)
        while (MPI_Wtime() < limit)
            CHECK(!finds_message(rank));
    if (rank == 1)
        for (time_t end = time(NULL) + 7; time(NULL) < end;)
            CHECK(!finds_message(rank));
    if (rank == 2)
        while (!exists(path))
            CHECK(!finds_message(rank));
    if (rank == 5)
        while (access(path, F_OK) != 0)
            CHECK(!finds_message(rank));
    if (rank == 3) // some seconds
        for (long polls = 0; polls < 1000000; ++polls)
            CHECK(!finds_message(rank));
    if (rank == 4) {
        struct timespec now, pause = {0, 1000000};
        do {
            CHECK(!finds_message(rank));
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

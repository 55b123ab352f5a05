// Ranks that do all by polls for fourteen seconds, and one that polls in vain and gives up after
// nine: no note and no report, since messages arrive, or the polls end in time.
// ranks: 3
// expect-not: note:
// expect-not: DEADLOCK
// timeout: 60
// modes: fibers-2 processes
#include <mpi.h>

#include <check.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Receives a token by polls and passes it on.
static void pass(int rank, int size) {
    int flag = 0;
    MPI_Status status;
    MPI_Request request;
    while (!flag)
        MPI_Iprobe((rank + size - 1) % size, 1, MPI_COMM_WORLD, &flag, &status);
    int value;
    MPI_Irecv(&value, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &request);
    for (flag = 0; !flag;)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Isend(&value, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &request);
    for (flag = 0; !flag;)
        MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv) {
    int rank, size, flag, value = 0, rounds = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    // Rank 0 gives up polling after a while, and only then sends the token.
    if (rank == 0) {
        for (double end = seconds() + 7; seconds() < end;)
            MPI_Iprobe(1, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    }
    for (double end = seconds() + 14; rounds < (rank == 0 ? 9 : 10); ++rounds) {
        pass(rank, size);
        for (double next = end - 14 + 1.4 * (rounds + 1); rank == 0 && seconds() < next;)
            MPI_Iprobe(1, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    if (rank == 0) { // the token comes back once more
        MPI_Recv(&value, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

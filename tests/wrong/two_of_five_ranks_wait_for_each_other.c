// Two ranks wait for each other while the others compute, sleep, poll and wait for the one that
// computes: the two are reported, and the job ends.
// ranks: 5
// exit: 86
// expect: DEADLOCK: 2 of 5 ranks wait for each other and can never go on: ranks 0,1$
// expect: ranks 0,1: MPI_Recv from each other, tag 4, MPI_COMM_WORLD, at .*for_each_other.c:30 in main
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
// expect-not: can never go on: .*2
// timeout: 30
#include <mpi.h>

#include <time.h>
#include <unistd.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    int rank, value = 1, flag = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double end = seconds() + 20;
    switch (rank) {
    case 0:
    case 1:
        MPI_Recv(&value, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 2:
        while (seconds() < end)
            ;
        MPI_Send(&value, 1, MPI_INT, 4, 5, MPI_COMM_WORLD);
        break;
    case 3:
        MPI_Irecv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
        while (!flag && seconds() < end)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        sleep(1);
        break;
    default:
        MPI_Recv(&value, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Abort(MPI_COMM_WORLD, 3);
}

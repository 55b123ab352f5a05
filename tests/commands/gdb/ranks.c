/* For ranks.sh: rank 0 receives, rank 1 reads a pipe, rank 2 stops, the others are in a barrier. */
#define _GNU_SOURCE
#include <mpi.h>

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

struct pair {
    int first, second;
};

int global = -1;
static struct pair hidden = {-1, -1};
static int ends[2];

static int wants_core;

void stop_here(int rank) {
    if (wants_core)
        syscall(SYS_kill, getpid(), SIGQUIT); /* of the whole process */
    (void)rank;
}

void wait_in_call(int rank) {
    int local = 1000 + rank;
    char byte;
    if (rank == 0)
        MPI_Recv(&local, 1, MPI_INT, 2, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == 1)
        (void)!read(ends[0], &byte, 1);
    else if (rank == 2)
        stop_here(rank);
    else
        MPI_Barrier(MPI_COMM_WORLD);
    hidden.second = local;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    wants_core = argc > 1;
    global = 100 + rank;
    hidden.first = 200 + rank;
    if (pipe(ends) != 0)
        return 1;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        usleep(500000); /* the others are where they wait */
    wait_in_call(rank);
    MPI_Abort(MPI_COMM_WORLD, 0);
    return 0;
}

// Ranks wait for each other in all ways for three seconds, until one that has slept or computed
// lets them go on: nothing is reported, since each wait has somebody who can end it.
// ranks: 8
// expect-not: DEADLOCK
// timeout: 60
#include <mpi.h>

#include <check.h>
#include <time.h>
#include <unistd.h>

enum { large = 1 << 20, pause_s = 3 };

static char out[large], in[large];

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void compute(void) {
    for (double end = seconds() + pause_s; seconds() < end;)
        ;
}

static void receive(int from) {
    MPI_Recv(in, large, MPI_CHAR, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send(int to, int bytes) {
    MPI_Send(out, bytes, MPI_CHAR, to, 1, MPI_COMM_WORLD);
}

// A ring of receives, one of which takes a message of anybody: of the rank that sleeps.
static void ring(int rank) {
    if (rank == 3) {
        sleep(pause_s);
        send(0, 1);
        return;
    }
    if (rank > 3)
        return;
    receive(rank == 0 ? MPI_ANY_SOURCE : (rank + 2) % 3);
    send((rank + 1) % 3, 1);
    if (rank == 0)
        receive(2);
}

// Of two requests one is completed by a rank that computes, and then the other.
static void one_of_two(int rank) {
    MPI_Request requests[2];
    int index;
    if (rank == 0 || rank == 1) {
        MPI_Irecv(in, 1, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(in + 1, 1, MPI_CHAR, 2, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        send(1 - rank, 1);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (rank == 2) {
        compute();
        for (int peer = 0; peer < 2; ++peer)
            MPI_Send(out, 1, MPI_CHAR, peer, 2, MPI_COMM_WORLD);
    }
}

// A chain of large sends and collective operations behind one rank that polls and then gives up.
static void chain(int rank, MPI_Comm upper) {
    if (rank == 0) {
        MPI_Request request;
        int flag = 0;
        char last;
        MPI_Irecv(&last, 1, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &request);
        for (double end = seconds() + pause_s; seconds() < end && !flag;)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
        receive(1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        send(0, large);
        MPI_Send(out, 1, MPI_CHAR, 0, 5, MPI_COMM_WORLD);
        receive(2);
    } else if (rank == 2) {
        send(1, large);
    }
    if (upper != MPI_COMM_NULL) {
        if (rank == 2)
            send(7, 1);
        if (rank == 7)
            receive(2);
        MPI_Bcast(in, 1, MPI_CHAR, 5, upper);
        MPI_Barrier(upper);
    }
}

int main(int argc, char **argv) {
    int rank;
    MPI_Comm upper;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank >= 2 ? 1 : MPI_UNDEFINED, rank, &upper);
    ring(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    one_of_two(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    chain(rank, upper);
    if (upper != MPI_COMM_NULL)
        MPI_Comm_free(&upper);
    MPI_Finalize();
    return 0;
}

// Rank 2 is killed amid partitioned operations of every kind: not started, with some partitions
// ready, and round after round of large ones. Who waits for it gets an error; rounds that were
// whole are not touched by its end. MPI 5.0 section 11.4.2: "the remaining processes in
// MPI_COMM_WORLD should be able to continue communicating with each other and receive an
// appropriate error code when attempting communication with an aborted process (e.g., an error of
// class MPI_ERR_PROC_ABORTED)."
// ranks: 4
// exit: 137
// expect: rank 2 .* was ended by signal 9
// expect: survivors: 3
// timeout: 60
#include "check.h"

#include <mpi.h>

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    victim = 2,
    partitions = 4,
    large = 40000
}; // ints of a partition that is read from the sender's memory

enum { never_received, never_sent, half_sent, whole, rounds_to_it, rounds_from_it };

#define LOST(call) CHECK_ERROR(call, MPI_ERR_PROC_ABORTED)

static int rank, kills_parent;
static int *memory, *free_memory; // of all buffers

static int *buffer_of(int ints) {
    free_memory += ints;
    return free_memory - ints;
}

static MPI_Request send_to(int peer, int count, int tag) {
    MPI_Request request;
    CHECK_SUCCESS(MPI_Psend_init(buffer_of(partitions * count), partitions, count, MPI_INT, peer,
                                 tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    return request;
}

static MPI_Request receive_from(int peer, int count, int tag) {
    MPI_Request request;
    CHECK_SUCCESS(MPI_Precv_init(buffer_of(partitions * count), partitions, count, MPI_INT, peer,
                                 tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    return request;
}

static void start(MPI_Request *request) {
    CHECK_SUCCESS(MPI_Start(request));
}

static void ready(int low, int high, MPI_Request request) {
    CHECK_SUCCESS(MPI_Pready_range(low, high, request));
}

static int parrived(MPI_Request request, int partition) {
    int flag = -1;
    CHECK_SUCCESS(MPI_Parrived(request, partition, &flag));
    return flag;
}

// Loses again whatever is started, and can be freed.
static void lose_again(MPI_Request *request, int sends) {
    int flag;
    start(request);
    if (sends)
        ready(0, partitions - 1, *request);
    else
        LOST(MPI_Parrived(*request, 0, &flag));
    LOST(MPI_Wait(request, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Request_free(request));
}

static void *die(void *unused) {
    usleep(300000);
    kill(kills_parent ? getppid() : getpid(), SIGKILL);
    return unused;
}

static void be_the_victim(void) {
    pthread_t thread;
    MPI_Request rounds[2] = {receive_from(3, large, rounds_to_it),
                             send_to(1, large, rounds_from_it)};
    (void)receive_from(0, 1, never_received);
    (void)send_to(3, 1, never_sent);
    MPI_Request half = send_to(0, 1, half_sent), all = send_to(0, 1, whole);
    start(&half);
    ready(1, 2, half);
    start(&all);
    ready(0, partitions - 1, all);
    MPI_Wait(&all, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    pthread_create(&thread, NULL, die, NULL);
    for (;;) {
        MPI_Startall(2, rounds);
        ready(0, partitions - 1, rounds[1]);
        MPI_Waitall(2, rounds, MPI_STATUSES_IGNORE);
    }
}

static void wait_for_it(void) {
    int flag;
    MPI_Request out = send_to(victim, 1, never_received), half = receive_from(victim, 1, half_sent),
                all = receive_from(victim, 1, whole);
    start(&out);
    ready(0, 1, out);
    start(&half);
    start(&all);
    MPI_Recv(NULL, 0, MPI_INT, victim, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(parrived(half, 1), 1);
    CHECK_EQUAL(parrived(half, 0), 0);
    do {
        CHECK_EQUAL(parrived(half, 2), 1);
        flag = 0;
    } while (MPI_Parrived(half, 3, &flag) == MPI_SUCCESS && !flag);
    CHECK_EQUAL(flag, 0);
    CHECK_EQUAL(parrived(half, 2), 1);
    LOST(MPI_Wait(&half, MPI_STATUS_IGNORE));
    CHECK_EQUAL(parrived(half, 3), 1); // inactive
    CHECK_SUCCESS(MPI_Wait(&all, MPI_STATUS_IGNORE));
    CHECK_SUCCESS(MPI_Test(&out, &flag, MPI_STATUS_IGNORE));
    CHECK_EQUAL(flag, 0); // not before all is ready
    ready(2, 3, out);
    LOST(MPI_Wait(&out, MPI_STATUS_IGNORE));
    lose_again(&out, 1);
    lose_again(&half, 0);
    lose_again(&all, 0);
}

static void go_round(MPI_Request request, int sends) {
    int code;
    do {
        start(&request);
        if (sends)
            ready(0, partitions - 1, request);
    } while ((code = MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPI_SUCCESS);
    LOST(code);
    lose_again(&request, sends);
}

static void go_on_together(void) {
    MPI_Request request = rank == 0   ? send_to(1, large, 9)
                          : rank == 1 ? receive_from(0, large, 9)
                                      : MPI_REQUEST_NULL;
    if (rank < 2) {
        start(&request);
        if (rank == 0)
            ready(0, partitions - 1, request);
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MPI_Request_free(&request);
    }
    if (rank == 0) {
        for (int i = 0; i < 2; ++i)
            CHECK_SUCCESS(
                MPI_Recv(NULL, 0, MPI_INT, i ? 3 : 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        puts("survivors: 3");
    } else {
        CHECK_SUCCESS(MPI_Send(NULL, 0, MPI_INT, 0, 8, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    kills_parent = argc > 1;
    memory = free_memory = calloc(4 * partitions * large, sizeof(int));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == victim)
        be_the_victim();
    if (rank == 0) {
        wait_for_it();
    } else if (rank == 1) {
        go_round(receive_from(victim, large, rounds_from_it), 0);
    } else {
        MPI_Request in = receive_from(victim, 1, never_sent);
        start(&in); // waits as long as the rounds go on
        go_round(send_to(victim, large, rounds_to_it), 1);
        LOST(MPI_Wait(&in, MPI_STATUS_IGNORE));
        lose_again(&in, 0);
    }
    // Both begin after its end.
    MPI_Request late[2] = {send_to(victim, 1, 7), receive_from(victim, 1, 7)};
    lose_again(&late[0], 1);
    lose_again(&late[1], 0);
    go_on_together();
    free(memory);
    MPI_Finalize();
    return 0;
}

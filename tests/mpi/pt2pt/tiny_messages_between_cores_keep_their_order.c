// Ranks on several cores send each other messages of 0 to 40 bytes in all modes, as soon as they
// can or after a while, and receive them by every kind of call, from known ranks and from any, with
// pauses that let them suspend. Each sender's messages arrive in order, each once and whole.
// THRUM_TEST_SEED gives another seed. MPI 5.0 section 3.5: "Messages are nonovertaking: If a sender
// sends two messages in succession to the same destination, and both match the same receive, then
// this operation cannot receive the second message if the first one is still pending."
// ranks: 2 3 5
// env: THRUM_TRAY_AFTER=1
#include "check.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200, BURST_MAX = 200, LENGTH_MAX = 40, TAG = 5, PENDING_MAX = 8, WINDOW = 64 };

static int rank, size, next_from[8], next_to[8];
static unsigned long long state;

static int below(int limit) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)(state >> 33) % limit;
}

static int length_of(int source, int number) {
    return 4 + (source * 7 + number * 13) % (LENGTH_MAX - 3);
}

static void pause_sometimes(void) {
    if (below(40) > 0)
        return;
    for (double end = MPI_Wtime() + below(60) * 1e-6; MPI_Wtime() < end;)
        ;
}

static void send_one(int dest) {
    int number = next_to[dest]++, length = length_of(rank, number);
    char data[LENGTH_MAX];
    memset(data, number & 127, sizeof data);
    memcpy(data, &number, sizeof number);
    MPI_Request request;
    switch (below(6)) {
    case 0:
        MPI_Bsend(data, length, MPI_BYTE, dest, TAG, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Isend(data, length, MPI_BYTE, dest, TAG, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Send(data, length, MPI_BYTE, dest, TAG, MPI_COMM_WORLD);
    }
}

static void check_one(const char *data, const MPI_Status *status) {
    int number, source = status->MPI_SOURCE, length;
    MPI_Get_count(status, MPI_BYTE, &length);
    memcpy(&number, data, sizeof number);
    CHECK_EQUAL(number, next_from[source]);
    CHECK_EQUAL(length, length_of(source, number));
    CHECK_EQUAL(status->MPI_TAG, TAG);
    for (int i = 4; i < length; i++)
        CHECK_EQUAL(data[i], number & 127);
    next_from[source]++;
}

/* Receives `count` messages; all of `source`, or of anybody. Wildcard receives that are pending
 * together complete in any order, so they are waited for in the order of posting. */
static void receive_some(int count, int source) {
    char data[PENDING_MAX][LENGTH_MAX];
    MPI_Status status;
    MPI_Request requests[PENDING_MAX];
    MPI_Message message;
    int length, done = 0;
    for (int i = 0, some; i < count; i += some, pause_sometimes()) {
        some = 1;
        switch (below(30)) {
        case 0:
            MPI_Probe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_BYTE, &length);
            MPI_Recv(data[0], length, MPI_BYTE, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status);
            break;
        case 1:
            for (done = 0; !done; pause_sometimes())
                MPI_Improbe(source, TAG, MPI_COMM_WORLD, &done, &message, &status);
            MPI_Mrecv(data[0], LENGTH_MAX, MPI_BYTE, &message, &status);
            break;
        case 2:
            MPI_Irecv(data[0], LENGTH_MAX, MPI_BYTE, source, TAG, MPI_COMM_WORLD, &requests[0]);
            for (done = 0; !done; pause_sometimes())
                MPI_Test(&requests[0], &done, &status);
            break;
        case 3:
        case 4:
        case 5:
        case 6:
        case 7:
        case 8:
            some = 1 + below(PENDING_MAX);
            some = some < count - i ? some : count - i;
            for (int k = 0; k < some; k++)
                MPI_Irecv(data[k], LENGTH_MAX, MPI_BYTE, source, TAG, MPI_COMM_WORLD, &requests[k]);
            for (int k = 0; k < some - 1; k++) {
                pause_sometimes();
                MPI_Wait(&requests[k], &status);
                check_one(data[k], &status);
            }
            MPI_Waitany(1, &requests[some - 1], &done, &status);
            memcpy(data[0], data[some - 1], LENGTH_MAX);
            break;
        default:
            MPI_Recv(data[0], LENGTH_MAX, MPI_BYTE, source, TAG, MPI_COMM_WORLD, &status);
        }
        check_one(data[0], &status);
    }
}

/* One rank sends windows of messages to another one that waits for them all the time. */
static void send_windows(int dest, int windows) {
    MPI_Request requests[WINDOW];
    static char data[WINDOW][LENGTH_MAX];
    for (int w = 0; w < windows; w++) {
        for (int i = 0; i < WINDOW; i++) {
            int number = next_to[dest]++;
            memset(data[i], number & 127, LENGTH_MAX);
            memcpy(data[i], &number, sizeof number);
            MPI_Isend(data[i], length_of(rank, number), MPI_BYTE, dest, TAG, MPI_COMM_WORLD,
                      &requests[i]);
        }
        MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
        MPI_Recv(NULL, 0, MPI_BYTE, dest, TAG + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void receive_windows(int source, int windows) {
    MPI_Request requests[WINDOW];
    MPI_Status statuses[WINDOW];
    static char data[WINDOW][LENGTH_MAX];
    for (int w = 0; w < windows; w++) {
        int how = below(4), done = 0, index;
        for (int i = 0; i < WINDOW; i++)
            MPI_Irecv(data[i], LENGTH_MAX, MPI_BYTE, below(2) ? source : MPI_ANY_SOURCE, TAG,
                      MPI_COMM_WORLD, &requests[i]);
        if (how == 0)
            for (int i = 0; i < WINDOW; i++)
                MPI_Wait(&requests[i], &statuses[i]);
        else if (how == 1)
            while (!done)
                MPI_Testall(WINDOW, requests, &done, statuses);
        else
            MPI_Waitall(WINDOW, requests, statuses);
        for (int i = 0; i < WINDOW; i++)
            check_one(data[i], &statuses[i]);
        MPI_Waitany(WINDOW, requests, &index, &statuses[0]);
        CHECK_EQUAL(index, MPI_UNDEFINED);
        MPI_Send(NULL, 0, MPI_BYTE, source, TAG + 1, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    static char attached[1 << 20];
    const char *seed_text = getenv("THRUM_TEST_SEED");
    unsigned seed = seed_text ? (unsigned)strtoul(seed_text, NULL, 10) : 20261130u;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("THRUM_TEST_SEED=%u\n", seed);
    state = seed * 1000003ull + (unsigned)rank;
    MPI_Buffer_attach(attached, sizeof attached);
    unsigned long long common = seed;
    for (int round = 0; round < ROUNDS; round++) {
        // One sends to the others or to one of them, or each to the next one; all ranks choose
        // alike.
        common = common * 6364136223846793005ull + 1442695040888963407ull;
        int burst = 1 + (int)(common >> 33) % BURST_MAX, all = (int)(common >> 50) % 4;
        int sender = (int)(common >> 40) % size;
        if (all == 0) {
            for (int i = 0; i < burst; i++) {
                send_one((rank + 1) % size);
                pause_sometimes();
            }
            receive_some(burst, below(2) ? MPI_ANY_SOURCE : (rank + size - 1) % size);
        } else if (all == 3) {
            if (rank == sender)
                send_windows((sender + 1) % size, burst);
            if (rank == (sender + 1) % size)
                receive_windows(sender, burst);
        } else if (rank == sender) {
            for (int i = 0; i < burst; i++)
                for (int dest = 0; dest < size; dest++)
                    if (dest != rank)
                        send_one(dest);
            if (all == 2) // and they answer
                receive_some(burst * (size - 1), MPI_ANY_SOURCE);
        } else {
            receive_some(burst, below(2) ? MPI_ANY_SOURCE : sender);
            for (int i = 0; all == 2 && i < burst; i++)
                send_one(sender);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void *detached;
    int detached_bytes;
    MPI_Buffer_detach(&detached, &detached_bytes);
    MPI_Finalize();
    return 0;
}

// MPI 5.0 section 11.6.2: "In MPI, a request can only be completed once. Any combination of wait or
// test that violates this rule is erroneous." Which of the threads does so is free: here each
// completes what the other has begun. No request is lost, or counted twice.
// ranks: 2
#include "variables.h"

#include <pthread.h>

enum { ROUNDS = 300, WINDOW = 100 }; // more than a thread keeps for itself

static MPI_Comm comms[2];                             // of each thread: with its like
static MPI_Request requests[2][2][WINDOW];            // begun by each thread, in turns
static double sums[2][2][WINDOW], numbers[2][WINDOW]; // received, sent
static pthread_barrier_t both_threads;

static void begin(int thread, int turn) {
    MPI_Request *request = requests[thread][turn];
    double *sum = sums[thread][turn], *number = numbers[thread];
    for (int i = 0; i < WINDOW; i += 2) {
        MPI_Irecv(&sum[i], 1, MPI_DOUBLE, 1 - rank, i, comms[thread], &request[i]);
        MPI_Iallreduce(&number[i], &sum[i + 1], 1, MPI_DOUBLE, MPI_SUM, comms[thread],
                       &request[i + 1]);
    }
    for (int i = 0; i < WINDOW; i += 2)
        MPI_Send(&number[i], 1, MPI_DOUBLE, 1 - rank, i, comms[thread]);
}

static void complete(int thread, int turn) {
    MPI_Waitall(WINDOW, requests[thread][turn], MPI_STATUSES_IGNORE);
    for (int i = 0; i < WINDOW; i += 2) {
        CHECK_EQUAL(sums[thread][turn][i], 1000 * thread + i);
        CHECK_EQUAL(sums[thread][turn][i + 1], 2 * (1000 * thread + i));
    }
}

static void *run(void *argument) {
    const int thread = (int)(intptr_t)argument;
    for (int i = 0; i < WINDOW; ++i)
        numbers[thread][i] = 1000 * thread + i;
    for (int round = 0; round < ROUNDS; ++round) {
        begin(thread, round % 2);
        pthread_barrier_wait(&both_threads);
        complete(1 - thread, round % 2);
    }
    return NULL;
}

int main(void) {
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start_tools();
    MPI_T_pvar_handle pending = measure("requests", MPI_T_PVAR_CLASS_LEVEL, NULL);
    for (int i = 0; i < 2; ++i)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    CHECK_EQUAL(value_of(pending), 0);
    pthread_barrier_init(&both_threads, NULL, 2);
    pthread_t other;
    pthread_create(&other, NULL, run, (void *)(intptr_t)1);
    run(NULL);
    pthread_join(other, NULL);
    CHECK_EQUAL(value_of(pending), 0);
    MPI_Request request;
    MPI_Irecv(NULL, 0, MPI_INT, rank, 0, comms[0], &request);
    CHECK_EQUAL(value_of(pending), 1);
    MPI_Send(NULL, 0, MPI_INT, rank, 0, comms[0]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQUAL(value_of(pending), 0);
    for (int i = 0; i < 2; ++i)
        MPI_Comm_free(&comms[i]);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return finish();
}

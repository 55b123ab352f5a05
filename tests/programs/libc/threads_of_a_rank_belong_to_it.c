// ranks: 6
// A thread made by a rank sees the rank's globals, thread-local initial values, environment and
// rank number; it ends with its thread-local destructors.
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static int global = 40;
static __thread int *pointer_to_global = &global;
static __thread int counter = 3;

static void *body(void *argument) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(rank, *(int *)argument);
    CHECK(pointer_to_global == &global);
    CHECK_EQUAL(*pointer_to_global, 40 + rank);
    CHECK_EQUAL(++counter, 4);
    CHECK_EQUAL(atoi(getenv("MY_RANK")), rank);
    if (rank % 2)
        pthread_exit((void *)(long)(rank + 100));
    return (void *)(long)(rank + 100);
}

static int c_body(void *argument) {
    return *(int *)argument + global;
}

int main(int argc, char **argv) {
    int rank, level, value;
    char text[16];
    void *result;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    global += rank;
    snprintf(text, sizeof text, "%d", rank);
    setenv("MY_RANK", text, 1);
    for (int round = 0; round < 5; ++round) {
        pthread_t threads[3];
        for (int i = 0; i < 3; ++i)
            CHECK_EQUAL(pthread_create(&threads[i], NULL, body, &rank), 0);
        for (int i = 0; i < 3; ++i) {
            CHECK_EQUAL(pthread_join(threads[i], &result), 0);
            CHECK_EQUAL((long)result, rank + 100);
        }
    }
    thrd_t thread;
    CHECK_EQUAL(thrd_create(&thread, c_body, &rank), thrd_success);
    CHECK_EQUAL(thrd_join(thread, &value), thrd_success);
    CHECK_EQUAL(value, 40 + 2 * rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

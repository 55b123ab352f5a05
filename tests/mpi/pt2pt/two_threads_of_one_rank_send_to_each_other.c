// MPI 5.0 section 11.6.1: "each thread can issue MPI calls; however, threads are not separately
// addressable": a blocking receive of one thread is completed by the send of another thread of the
// same rank.
// ranks: 1 2
#include "check.h"

#include <pthread.h>

enum { kRounds = 200 };

static void *answer(void *argument) {
    for (int round = 0; round < kRounds; ++round) {
        int value = -1;
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        ++value;
        MPI_Ssend(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);
    }
    return NULL;
}

int main(void) {
    int provided = -1;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    pthread_t thread;
    CHECK_EQUAL(pthread_create(&thread, NULL, answer, NULL), 0);
    for (int round = 0; round < kRounds; ++round) {
        int got = -1;
        MPI_Ssend(&round, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        MPI_Recv(&got, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        CHECK_EQUAL(got, round + 1);
    }
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    MPI_Finalize();
    return 0;
}

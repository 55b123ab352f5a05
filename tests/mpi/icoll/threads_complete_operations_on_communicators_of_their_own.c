// MPI 5.0 section 6.14: "Finally, in multithreaded implementations, one can have more than one,
// concurrently executing, collective communication initialization call at an MPI process. In these
// situations, it is the user's responsibility to ensure that the same communicator is not used
// concurrently by two different collective communication initialization calls at the same MPI
// process."
// ranks: 2 5
#include "world.h"

#include <pthread.h>

enum { threads = 3 };

static MPI_Comm comms[threads];

static void *work(void *argument) {
    int number = (int)(intptr_t)argument;
    for (int round = 0; round < 100; ++round) {
        MPI_Request requests[2];
        int sum, mine = rank + number, value = rank == round % size ? round : -1;
        CHECK_SUCCESS(
            MPI_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comms[number], &requests[0]));
        CHECK_SUCCESS(MPI_Ibcast(&value, 1, MPI_INT, round % size, comms[number], &requests[1]));
        CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
        CHECK_EQUAL(sum, size * (size - 1) / 2 + size * number);
        CHECK_EQUAL(value, round);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t thread[threads];
    CHECK_SUCCESS(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < threads; ++i)
        CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]));
    for (int i = 0; i < threads; ++i)
        CHECK(pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < threads; ++i)
        CHECK(pthread_join(thread[i], NULL) == 0);
    for (int i = 0; i < threads; ++i)
        CHECK_SUCCESS(MPI_Comm_free(&comms[i]));
    return finish();
}

// MPI 5.0 section 4.1: "Partitioned communication is ``partitioned'' because it allows for multiple
// contributions of data to be made, potentially, from multiple actors (e.g., threads or tasks) in
// an MPI process to a single communication operation."
// ranks: 2 3
#include "world.h"

#include <pthread.h>

enum { threads = 4, each = 8, partitions = threads * each, count = 50, rounds = 20 };

static int out[partitions * count], in[partitions * count];
static MPI_Request requests[2];
static int round_number;

static void *contribute(void *argument) {
    int thread = *(int *)argument;
    for (int i = 0; i < each; ++i) {
        int partition = i * threads + thread;
        for (int k = 0; k < count; ++k)
            out[partition * count + k] = round_number * 100000 + partition * count + k;
        CHECK_SUCCESS(MPI_Pready(partition, requests[0]));
    }
    return NULL;
}

static void *watch(void *argument) { // partitions are seen by another thread as they come
    int thread = *(int *)argument;
    for (int i = 0; i < each; ++i) {
        int partition = i * threads + thread, arrived = 0;
        while (!arrived)
            CHECK_SUCCESS(MPI_Parrived(requests[1], partition, &arrived));
        for (int k = 0; k < count; ++k)
            CHECK_EQUAL(in[partition * count + k], round_number * 100000 + partition * count + k);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided, numbers[threads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Psend_init(out, partitions, count, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[0]);
    MPI_Precv_init(in, partitions, count, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &requests[1]);
    for (round_number = 0; round_number < rounds; ++round_number) {
        pthread_t senders[threads], receivers[threads];
        CHECK_SUCCESS(MPI_Start(&requests[0]));
        if (round_number % 2)
            CHECK_SUCCESS(MPI_Start(&requests[1]));
        for (int i = 0; i < threads; ++i) {
            numbers[i] = i;
            pthread_create(&senders[i], NULL, contribute, &numbers[i]);
        }
        if (round_number % 2 == 0) // in the middle of the contributions
            CHECK_SUCCESS(MPI_Start(&requests[1]));
        for (int i = 0; i < threads; ++i)
            pthread_create(&receivers[i], NULL, watch, &numbers[i]);
        for (int i = 0; i < threads; ++i) {
            pthread_join(senders[i], NULL);
            pthread_join(receivers[i], NULL);
        }
        CHECK_SUCCESS(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    return finish();
}

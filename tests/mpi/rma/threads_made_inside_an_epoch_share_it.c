// A rank that has one thread locks a window, and then makes threads that use the lock together.
// MPI 5.0 section 12.7.1: "The outcome of concurrent accumulate operations to the same location
// with the same predefined datatype is as if the accumulate operations were done at that location
// in some serial order."
// ranks: 1 2 3
#include "windows.h"

#include <pthread.h>

enum { threads = 2, rounds = 500000 };

static MPI_Win win;
static pthread_barrier_t begin;

static void *count(void *argument) {
    (void)argument;
    long one = 1, old;
    pthread_barrier_wait(&begin);
    for (int i = 0; i < rounds; ++i)
        CHECK_SUCCESS(MPI_Fetch_and_op(&one, &old, MPI_LONG, (rank + 1) % size, 0, MPI_SUM, win));
    return NULL;
}

// Locks target after target before there are threads, and unlocks with them.
static void use_lock(int kind, int repetitions) {
    const int target = (rank + 1) % size;
    long one = 1;
    for (int i = 0; i < repetitions; ++i) {
        CHECK_SUCCESS(MPI_Win_lock(kind, target, 0, win));
        CHECK_SUCCESS(MPI_Accumulate(&one, 1, MPI_LONG, target, 0, 1, MPI_LONG, MPI_SUM, win));
        CHECK_SUCCESS(MPI_Win_unlock(target, win));
    }
    CHECK_SUCCESS(MPI_Win_lock(kind, target, 0, win));
    pthread_t ids[threads];
    CHECK_EQUAL(pthread_barrier_init(&begin, NULL, threads), 0);
    for (int i = 0; i < threads; ++i)
        CHECK_EQUAL(pthread_create(&ids[i], NULL, count, NULL), 0);
    for (int i = 0; i < threads; ++i)
        CHECK_EQUAL(pthread_join(ids[i], NULL), 0);
    pthread_barrier_destroy(&begin);
    CHECK_SUCCESS(MPI_Win_unlock(target, win));
}

int main(int argc, char **argv) {
    enum { repetitions = 100 };

    int provided;
    long *memory;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    use_lock(MPI_LOCK_EXCLUSIVE, repetitions);
    use_lock(MPI_LOCK_SHARED, repetitions);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    CHECK_EQUAL(*memory, 2 * (repetitions + threads * rounds));
    MPI_Win_unlock(rank, win);
    free_window(&win);
    return finish();
}

// MPI 5.0 section 11.6.1: "All MPI calls are thread-safe"; section 12.7.1: "The outcome of
// concurrent accumulate operations to the same location with the same predefined datatype is as if
// the accumulate operations were done at that location in some serial order."
// ranks: 1 2 3
#include "windows.h"

#include <pthread.h>

enum { threads = 4, rounds = 200 };

static MPI_Win win, locked;

static void *work(void *argument) {
    int thread = *(int *)argument, one = 1, old, value;
    for (int i = 0; i < rounds; ++i) {
        int target = (rank + i) % size;
        CHECK_SUCCESS(MPI_Accumulate(&one, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, win));
        CHECK_SUCCESS(MPI_Fetch_and_op(&one, &old, MPI_INT, target, 0, MPI_SUM, win));
        value = 1000 * thread + i;
        CHECK_SUCCESS(
            MPI_Put(&value, 1, MPI_INT, target, 1 + rank * threads + thread, 1, MPI_INT, win));
        CHECK_SUCCESS(MPI_Win_flush(target, win));
        CHECK_SUCCESS(
            MPI_Get(&old, 1, MPI_INT, target, 1 + rank * threads + thread, 1, MPI_INT, win));
        CHECK_SUCCESS(MPI_Win_flush_local(target, win));
        CHECK_EQUAL(old, value);
    }
    // Each thread locks targets of its own in another window.
    for (int i = 0; i < rounds && thread < size; ++i) {
        CHECK_SUCCESS(
            MPI_Win_lock(i % 3 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, thread, 0, locked));
        CHECK_SUCCESS(MPI_Accumulate(&one, 1, MPI_INT, thread, 0, 1, MPI_INT, MPI_SUM, locked));
        CHECK_SUCCESS(MPI_Win_unlock(thread, locked));
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided, *memory, *other, numbers[threads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    win = int_window(1 + size * threads, 0, &memory);
    locked = int_window(1, 0, &other);
    pthread_t ids[threads];
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < threads; ++i) {
        numbers[i] = i;
        CHECK_EQUAL(pthread_create(&ids[i], NULL, work, &numbers[i]), 0);
    }
    for (int i = 0; i < threads; ++i)
        CHECK_EQUAL(pthread_join(ids[i], NULL), 0);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    int sum;
    MPI_Allreduce(&memory[0], &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(sum, 2 * rounds * threads * size);
    CHECK_EQUAL(other[0], rounds * size);
    free_window(&locked);
    free_window(&win);
    return finish();
}

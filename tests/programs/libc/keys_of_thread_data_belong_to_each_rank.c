// ranks: 1 600
// POSIX pthread_key_create: a process has PTHREAD_KEYS_MAX keys (1024); here each rank. A deleted
// key's values are not seen under a new key of the same number.
#include "check.h"

#include <limits.h>
#include <pthread.h>
#include <threads.h>

static int destroyed;

static void destroy(void *value) {
    destroyed += *(int *)value;
}

static void *thread(void *keys) {
    static int one = 1;
    CHECK(pthread_getspecific(*(pthread_key_t *)keys) == NULL);
    CHECK_EQUAL(pthread_setspecific(*(pthread_key_t *)keys, &one), 0);
    return NULL;
}

int main(int argc, char **argv) {
    int rank, level, value = 10;
    pthread_key_t keys[5], more;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; ++i) {
        CHECK_EQUAL(pthread_key_create(&keys[i], destroy), 0);
        CHECK(pthread_getspecific(keys[i]) == NULL);
        CHECK_EQUAL(pthread_setspecific(keys[i], &value), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(pthread_getspecific(keys[4]) == &value && tss_get(keys[4]) == &value);
    CHECK_EQUAL(pthread_key_delete(keys[4]), 0);
    CHECK_EQUAL(pthread_key_create(&keys[4], NULL), 0);
    CHECK(pthread_getspecific(keys[4]) == NULL);
    if (rank % 100 == 0) {
        pthread_t t;
        CHECK_EQUAL(pthread_create(&t, NULL, thread, keys), 0);
        CHECK_EQUAL(pthread_join(t, NULL), 0);
        CHECK_EQUAL(destroyed, 1);
        while (pthread_key_create(&more, NULL) == 0)
            CHECK(more < PTHREAD_KEYS_MAX);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(pthread_getspecific(keys[0]) == &value);
    MPI_Finalize();
    return 0;
}

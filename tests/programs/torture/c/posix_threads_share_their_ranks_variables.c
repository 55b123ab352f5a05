// Threads, mutexes, condition variables, barriers, read-write locks and keys, initialised
// statically.
// ranks: 8 64
#include "torture.h"

#include <pthread.h>

enum { THREADS = 3, ROUNDS = 200 };

static int sum, turn, destroyed, readers;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_key_t key;
static __thread int mine;

static void destroy(void *value) {
    pthread_mutex_lock(&mutex);
    destroyed += *(int *)value;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *argument) {
    int number = *(int *)argument;
    pthread_setspecific(key, argument);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < ROUNDS; ++i) {
        pthread_mutex_lock(&mutex);
        sum += number, ++mine;
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_lock(&mutex);
    while (turn != number)
        pthread_cond_wait(&changed, &mutex);
    ++turn;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_rdlock(&rwlock);
    __atomic_fetch_add(&readers, mine, __ATOMIC_RELAXED);
    pthread_rwlock_unlock(&rwlock);
    return &sum;
}

int main(int argc, char **argv) {
    CHECK(sum == 0 && turn == 0 && destroyed == 0 && readers == 0);
    int rank = start(&argc, &argv);
    pthread_t threads[THREADS];
    int numbers[THREADS];
    turn = rank;
    CHECK(!pthread_key_create(&key, destroy) && !pthread_barrier_init(&barrier, 0, THREADS));
    let_others_run();
    for (int i = 0; i < THREADS; ++i) {
        numbers[i] = rank + i;
        CHECK(!pthread_create(&threads[i], 0, work, &numbers[i]));
    }
    for (int i = 0; i < THREADS; ++i) {
        void *result;
        CHECK(!pthread_join(threads[i], &result) && result == &sum);
    }
    CHECK_EQUAL(sum, ROUNDS * (3 * rank + 3));
    CHECK_EQUAL(turn, rank + THREADS);
    CHECK_EQUAL(destroyed, 3 * rank + 3);
    CHECK_EQUAL(readers, THREADS * ROUNDS);
    CHECK(!pthread_mutex_trylock(&mutex) && !pthread_mutex_unlock(&mutex));
    let_others_run();
    CHECK_EQUAL(mine, 0);
    return finish();
}

// ranks: 2 8
// timeout: 60
// A rank waits for a thread of its own, which waits for a message of a rank that only the same
// worker can run: mutex, read-write lock, condition variable, semaphore, barrier, join; C11
// threads, too.
#define _GNU_SOURCE
#include "pairs.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore, thread_has_it;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static int state;

// The partner sends `what` only after this rank has let it run.
static void hear(int what) {
    int number = -1;
    MPI_Recv(&number, 1, MPI_INT, partner, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(number, what);
}

static void *with_the_lock(void *kind) {
    switch (*(int *)kind) {
    case 0:
    case 1:
        pthread_mutex_lock(&mutex);
        sem_post(&thread_has_it);
        hear(0);
        pthread_mutex_unlock(&mutex);
        break;
    case 2:
    case 3:
        pthread_rwlock_wrlock(&rwlock);
        sem_post(&thread_has_it);
        hear(0);
        pthread_rwlock_unlock(&rwlock);
        break;
    case 4:
    case 5:
        hear(0);
        pthread_mutex_lock(&mutex);
        state = 1;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
        break;
    case 6:
        hear(0);
        sem_post(&semaphore);
        break;
    case 7:
        hear(0);
        pthread_barrier_wait(&barrier);
        break;
    case 8:
        mtx_lock(&c11_mutex);
        sem_post(&thread_has_it);
        hear(0);
        mtx_unlock(&c11_mutex);
        break;
    case 9:
        hear(0);
        mtx_lock(&c11_mutex);
        state = 1;
        cnd_broadcast(&c11_condition);
        mtx_unlock(&c11_mutex);
        break;
    case 10:
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        sem_post(&thread_has_it);
        hear(0);
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
        break;
    default:
        hear(0); // joined
    }
    return kind;
}

static void wait_for_the_thread(int kind) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1000;
    switch (kind) {
    case 0:
        CHECK_EQUAL(sem_wait(&thread_has_it), 0);
        CHECK_EQUAL(pthread_mutex_lock(&mutex), 0);
        CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
        break;
    case 1:
        CHECK_EQUAL(sem_wait(&thread_has_it), 0);
        CHECK_EQUAL(pthread_mutex_timedlock(&mutex, &deadline), 0);
        CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
        break;
    case 2:
        CHECK_EQUAL(sem_wait(&thread_has_it), 0);
        CHECK_EQUAL(pthread_rwlock_rdlock(&rwlock), 0);
        CHECK_EQUAL(pthread_rwlock_unlock(&rwlock), 0);
        break;
    case 3:
        CHECK_EQUAL(sem_wait(&thread_has_it), 0);
        CHECK_EQUAL(pthread_rwlock_wrlock(&rwlock), 0);
        CHECK_EQUAL(pthread_rwlock_unlock(&rwlock), 0);
        break;
    case 4:
    case 5:
        CHECK_EQUAL(pthread_mutex_lock(&mutex), 0);
        while (!state)
            CHECK_EQUAL(kind == 4 ? pthread_cond_wait(&condition, &mutex)
                                  : pthread_cond_timedwait(&condition, &mutex, &deadline),
                        0);
        state = 0;
        CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
        break;
    case 6:
        CHECK_EQUAL(sem_timedwait(&semaphore, &deadline), 0);
        break;
    case 7:
        pthread_barrier_wait(&barrier);
        break;
    case 8:
        CHECK_EQUAL(sem_wait(&thread_has_it), 0);
        CHECK_EQUAL(mtx_lock(&c11_mutex), thrd_success);
        CHECK_EQUAL(mtx_unlock(&c11_mutex), thrd_success);
        break;
    case 9:
        CHECK_EQUAL(mtx_lock(&c11_mutex), thrd_success);
        while (!state)
            CHECK_EQUAL(cnd_wait(&c11_condition, &c11_mutex), thrd_success);
        state = 0;
        CHECK_EQUAL(mtx_unlock(&c11_mutex), thrd_success);
        break;
    case 10: // a loop of attempts
        CHECK_EQUAL(sem_wait(&thread_has_it), 0);
        while (pthread_mutex_trylock(&recursive) == EBUSY) {
        }
        CHECK_EQUAL(pthread_mutex_unlock(&recursive), 0);
        break;
    }
}

enum { KINDS = 12 };

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    partner = rank ^ 1;
    is_first = rank % 2 == 0;
    sem_init(&semaphore, 0, 0);
    sem_init(&thread_has_it, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    mtx_init(&c11_mutex, mtx_plain);
    cnd_init(&c11_condition);
    for (int round = 0; round < 3 * KINDS; ++round) {
        int kind = round % KINDS, nothing = 0;
        if (is_first == (round / KINDS) % 2) {
            // The other one is in its wait by now, or on its way there.
            MPI_Send(&nothing, 1, MPI_INT, partner, 3, MPI_COMM_WORLD);
            MPI_Recv(NULL, 0, MPI_INT, partner, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            continue;
        }
        pthread_t thread;
        void *result = NULL;
        CHECK_EQUAL(pthread_create(&thread, NULL, with_the_lock, &kind), 0);
        wait_for_the_thread(kind);
        CHECK_EQUAL(pthread_join(thread, &result), 0);
        CHECK(result == &kind);
        MPI_Send(NULL, 0, MPI_INT, partner, 4, MPI_COMM_WORLD);
    }
    // Errors are reported as in a process.
    struct timespec past = {1, 0};
    CHECK_EQUAL(sem_timedwait(&semaphore, &past), -1);
    CHECK_EQUAL(errno, ETIMEDOUT);
    pthread_mutexattr_t attributes;
    pthread_mutex_t checking;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    CHECK_EQUAL(pthread_mutex_lock(&checking), 0);
    CHECK_EQUAL(pthread_mutex_lock(&checking), EDEADLK);
    CHECK_EQUAL(pthread_mutex_unlock(&checking), 0);
    CHECK_EQUAL(pthread_mutex_unlock(&checking), EPERM);
    return finish();
}

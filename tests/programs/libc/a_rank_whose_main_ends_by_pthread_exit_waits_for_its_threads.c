// ranks: 1 4
// expect: ^handler of rank 0 after 2 threads$
// expect: ^rank 0: end of the main thread$
// POSIX pthread_exit: "The process shall exit with an exit status of 0 after the last thread has
// been terminated", "as if the implementation called exit() with a zero argument": here the rank.
#define _GNU_SOURCE
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, ended;
static pthread_key_t key;

static void handler(void) {
    printf("handler of rank %d after %d threads\n", rank, ended);
}

static void end_of_key(void *value) {
    printf("rank %d: %s\n", rank, (char *)value);
}

static void *thread(void *argument) {
    (void)argument;
    usleep(30000);
    __atomic_add_fetch(&ended, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(int argc, char **argv) {
    int level;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(handler);
    pthread_key_create(&key, end_of_key);
    pthread_setspecific(key, "end of the main thread");
    for (int i = 0; i < 2; ++i) {
        CHECK_EQUAL(pthread_create(&threads[i], NULL, thread, NULL), 0);
        pthread_detach(threads[i]);
    }
    MPI_Finalize();
    pthread_exit(NULL);
}

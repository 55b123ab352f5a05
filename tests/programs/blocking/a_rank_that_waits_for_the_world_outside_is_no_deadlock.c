// ranks: 2 5
// timeout: 30
// expect-not: DEADLOCK
// All ranks wait for rank 0, which waits for a child process: something can still come.
#include "world.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void *sleep_a_little(void *ends) {
    usleep(300000);
    CHECK_EQUAL(write(((int *)ends)[1], "t", 1), 1);
    return NULL;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int number = 0;
    if (rank == 0) {
        int ends[2];
        char byte = 0;
        CHECK_EQUAL(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            sleep(1);
            _exit(write(ends[1], "c", 1) == 1 ? 0 : 1);
        }
        CHECK_EQUAL(read(ends[0], &byte, 1), 1);
        CHECK_EQUAL(byte, 'c');
        CHECK_EQUAL(waitpid(child, NULL, 0), child);
        pthread_t thread;
        CHECK_EQUAL(pthread_create(&thread, NULL, sleep_a_little, ends), 0);
        CHECK_EQUAL(read(ends[0], &byte, 1), 1);
        CHECK_EQUAL(byte, 't');
        CHECK_EQUAL(pthread_join(thread, NULL), 0);
        number = 5;
    }
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_EQUAL(number, 5);
    return finish();
}

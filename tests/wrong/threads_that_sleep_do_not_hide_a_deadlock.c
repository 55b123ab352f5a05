// With MPI_THREAD_MULTIPLE: in each rank one thread waits for a message in vain, the main thread
// joins it, and a third one waits for a semaphore that nobody posts.
// ranks: 2 3
// exit: 86
// expect: DEADLOCK: all . ranks are blocked and no message can arrive
// timeout: 30
#include <mpi.h>

#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *wait_for_semaphore(void *argument) {
    sem_wait(&semaphore);
    MPI_Send(NULL, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    return argument;
}

static void *wait_for_message(void *argument) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return argument;
}

int main(int argc, char **argv) {
    int provided;
    pthread_t sleeper, receiver;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    sem_init(&semaphore, 0, 0);
    pthread_create(&sleeper, NULL, wait_for_semaphore, NULL);
    pthread_create(&receiver, NULL, wait_for_message, NULL);
    pthread_join(receiver, NULL);
    MPI_Finalize();
    return 0;
}

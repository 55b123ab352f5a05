// The second thread of the only rank has called MPI and sleeps for ever, while the first one waits
// for a message of its own: the deadlock is found.
// ranks: 1 2
// exit: 86
// expect: DEADLOCK: (rank 0 is|all 2 ranks are) blocked and no message can arrive
// expect: MPI_Recv from .*, tag 1, MPI_COMM_WORLD
// timeout: 30
#include <mpi.h>

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *call_and_sleep(void *argument) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_mutex_lock(&mutex);
    for (;;)
        pthread_cond_wait(&condition, &mutex);
    return argument;
}

int main(int argc, char **argv) {
    int rank, value, provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, NULL, call_and_sleep, NULL);
    MPI_Recv(&value, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

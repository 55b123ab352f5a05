// Both threads of the only rank wait for messages that nobody sends: whichever comes last, also
// while a report is looking already, the deadlock is found.
// ranks: 1
// exit: 86
// expect: DEADLOCK: rank 0 is blocked
// timeout: 30
#include <mpi.h>

#include <pthread.h>

static void *wait_for_message(void *argument) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    int value, provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&thread, NULL, wait_for_message, NULL);
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

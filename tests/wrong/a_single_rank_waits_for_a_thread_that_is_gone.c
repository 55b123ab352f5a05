// The second thread of the only rank has sent, and has ended, before the first one waits for more:
// the thread that is on its way out keeps nobody from finding the deadlock.
// ranks: 1
// exit: 86
// expect: DEADLOCK: rank 0 is blocked
// expect: MPI_Recv from rank 0, tag 2
// timeout: 30
#include <mpi.h>

#include <pthread.h>

static void *send_once(void *argument) {
    int value = 1;
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv) {
    int value, provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&thread, NULL, send_once, NULL);
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

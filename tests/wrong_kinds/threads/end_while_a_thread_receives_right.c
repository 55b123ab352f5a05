// The main thread ends MPI when the other one has got its message.
// ranks: 1
// options: --check
// expect-not: thrum:
#include <mpi.h>

#include <pthread.h>
#include <unistd.h>

static void *receive(void *where) {
    MPI_Recv(where, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    int level, value = 7, got = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_t thread;
    pthread_create(&thread, NULL, receive, &got);
    usleep(200000);
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return got != value;
}

// A thread calls MPI while no other does, and the program has asked for that.
// ranks: 2
// options: --check
// expect-not: thrum:
#include <mpi.h>

#include <pthread.h>

static void *receive(void *where) {
    MPI_Recv(where, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    int level, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    pthread_t thread;
    pthread_create(&thread, NULL, receive, &value);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}

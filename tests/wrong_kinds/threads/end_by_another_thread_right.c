// The thread that has called MPI_Init calls MPI_Finalize, when the other one has ended.
// ranks: 2
// options: --check
// expect-not: thrum:
#include <mpi.h>

#include <pthread.h>

static void *end(void *unused) {
    return unused;
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_t thread;
    pthread_create(&thread, NULL, end, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}

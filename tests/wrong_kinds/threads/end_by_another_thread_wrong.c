// MPI_Finalize is called by a thread that has not called MPI_Init.
// ranks: 2
// options: --check
// exit: 16
// expect: rank [01]: MPI_Finalize: MPI_ERR_OTHER: called by another thread than MPI_Init \(at .*wrong\.c:11 in end\)
#include <mpi.h>

#include <pthread.h>

static void *end(void *unused) {
    MPI_Finalize();
    return unused;
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_t thread;
    pthread_create(&thread, NULL, end, NULL);
    pthread_join(thread, NULL);
    return 0;
}

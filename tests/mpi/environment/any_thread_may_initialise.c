// The thread that calls MPI_Init need not be the first one of the program.
// ranks: 2
// options: --check
#include <mpi.h>

#include <pthread.h>

static void *work(void *wrong) {
    int level, is_main;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Is_thread_main(&is_main);
    *(int *)wrong = !is_main;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return NULL;
}

int main(void) {
    int wrong = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &wrong);
    pthread_join(thread, NULL);
    return wrong;
}

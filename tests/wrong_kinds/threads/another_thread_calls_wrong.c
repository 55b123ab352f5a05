// A thread calls MPI, but the program has asked only for calls by the main one.
// ranks: 2
// options: --check
// exit: 16
// expect: rank [01]: MPI_Recv: MPI_ERR_OTHER: called by another thread than MPI_Init,
// expect: which has given MPI_THREAD_FUNNELED: ask MPI_Init_thread for MPI_THREAD_SERIALIZED or
// expect: MPI_THREAD_MULTIPLE \(at .*wrong\.c:13 in receive\)
#include <mpi.h>

#include <pthread.h>

static void *receive(void *where) {
    MPI_Recv(where, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    int level, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    pthread_t thread;
    pthread_create(&thread, NULL, receive, &value);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}

// The main thread ends MPI while another one still waits for a message.
// ranks: 1
// options: --check
// exit: 16
// expect: rank 0: MPI_Finalize: MPI_ERR_OTHER: called while another thread is in MPI_Recv,
// expect: at .*wrong\.c:13 in receive \(at .*wrong\.c:23 in main\)
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
    MPI_Finalize();
    return got != value;
}

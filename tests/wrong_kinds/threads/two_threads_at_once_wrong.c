// One thread sends while the other waits for the message: two are inside MPI.
// ranks: 1
// options: --check
// exit: 16
// expect: rank 0: MPI_Send: MPI_ERR_OTHER: called while another thread is in MPI_Recv,
// expect: at .*wrong\.c:14 in receive, but MPI_Init has given MPI_THREAD_SERIALIZED:
// expect: ask MPI_Init_thread for MPI_THREAD_MULTIPLE \(at .*wrong\.c:24 in main\)
#include <mpi.h>

#include <pthread.h>
#include <unistd.h>

static void *receive(void *where) {
    MPI_Recv(where, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    int level, value = 7, got = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    pthread_t thread;
    pthread_create(&thread, NULL, receive, &got);
    usleep(200000);
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return got != 7;
}

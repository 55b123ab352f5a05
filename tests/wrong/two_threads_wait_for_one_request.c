// Two threads of rank 0 wait for the same request.
// MPI 5.0 section 11.6.2: "A program in which two threads block, waiting on the same request, is
// erroneous."
// ranks: 2
// exit: nonzero
// expect: rank 0: MPI_Wait: another thread of the rank waits for the same request; only one may
// expect: \(at .*two_threads_wait_for_one_request.c:20 in wait_for_it\)
// timeout: 30
#include <mpi.h>

#include <pthread.h>
#include <unistd.h>

static MPI_Request request;
static int value;

// Both threads keep the handle: MPI_Wait sets only a copy to null.
static void *wait_for_it(void *unused) {
    MPI_Request mine = request;
    MPI_Wait(&mine, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv) {
    int rank, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        pthread_create(&thread, NULL, wait_for_it, NULL);
        wait_for_it(NULL);
        pthread_join(thread, NULL);
    } else {
        sleep(5);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

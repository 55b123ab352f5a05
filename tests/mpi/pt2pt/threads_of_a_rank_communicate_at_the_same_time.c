// MPI 5.0 section 11.2.1: MPI_THREAD_MULTIPLE: "Multiple threads may call MPI, with no
// restrictions"; section 11.6.1: "All MPI calls are thread-safe"; "Blocking MPI calls will block
// the calling thread only".
// ranks: 2 3
#include "check.h"

#include <pthread.h>

enum { kThreads = 4, kRounds = 100 };

static int rank, size;

static void *exchange(void *argument) {
    int thread = *(int *)argument;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int round = 0; round < kRounds; ++round) {
        int out[3] = {rank, thread, round}, in[3] = {-1, -1, -1};
        MPI_Request request;
        MPI_Isend(out, 3, MPI_INT, right, thread, MPI_COMM_WORLD, &request);
        MPI_Recv(in, 3, MPI_INT, left, thread, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK_EQUAL(in[0], left);
        CHECK_EQUAL(in[1], thread);
        CHECK_EQUAL(in[2], round);
    }
    return NULL;
}

int main(int argc, char **argv) {
    int provided = -1, numbers[kThreads], main_thread = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    CHECK_EQUAL(provided, MPI_THREAD_MULTIPLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i) {
        numbers[i] = i;
        CHECK_EQUAL(pthread_create(&threads[i], NULL, exchange, &numbers[i]), 0);
    }
    for (int i = 0; i < kThreads; ++i)
        CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
    MPI_Is_thread_main(&main_thread);
    CHECK(main_thread);
    MPI_Finalize();
    return 0;
}

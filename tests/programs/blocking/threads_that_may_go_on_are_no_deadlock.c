// Each rank waits for the others, and a thread of its own lets it go on after three seconds: one
// that computes while the main thread joins it, one that sends after a sleep, one that computes and
// then wakes a thread that waits for a condition and sends, and threads of OpenMP.
// ranks: 1 3
// flags: -fopenmp
// env: OMP_NUM_THREADS=2
// expect-not: DEADLOCK
// timeout: 60
// modes: fibers-2 processes
#include <mpi.h>

#include <check.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum { pause_s = 3 };

static int rank, size;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int may_send = 0;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void compute(void) {
    for (double end = seconds() + pause_s; seconds() < end;)
        ;
}

static void *compute_only(void *argument) {
    compute();
    return argument;
}

static void *send_later(void *argument) {
    sleep(pause_s);
    MPI_Send(NULL, 0, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD);
    return argument;
}

static void *wait_and_send(void *argument) {
    pthread_mutex_lock(&mutex);
    while (!may_send)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    MPI_Send(NULL, 0, MPI_INT, (rank + 1) % size, 2, MPI_COMM_WORLD);
    return argument;
}

static void *compute_and_wake(void *argument) {
    compute();
    pthread_mutex_lock(&mutex);
    may_send = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void receive(int tag) {
    MPI_Recv(NULL, 0, MPI_INT, (rank + size - 1) % size, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int provided;
    pthread_t thread, other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        pthread_create(&thread, NULL, compute_only, NULL);
        pthread_join(thread, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_create(&thread, NULL, send_later, NULL);
    receive(1);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_create(&thread, NULL, wait_and_send, NULL);
    pthread_create(&other, NULL, compute_and_wake, NULL);
    receive(2);
    pthread_join(thread, NULL);
    pthread_join(other, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
#pragma omp parallel
    {
        if (rank == 0)
            compute();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// Each rank has a pool of OpenMP threads, which sleep. The ranks wait for each other, all in the
// main thread, and one has another thread that waits in a condition variable.
// ranks: 1 3
// flags: -fopenmp
// env: OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive
// exit: 86
// expect: DEADLOCK: (all 3 ranks are|rank 0 is) blocked and no message can arrive
// expect: MPI_Recv from .*tag 4, MPI_COMM_WORLD, at .*a_deadlock.c:38 in main
// timeout: 30
#include <mpi.h>

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *wait_for_ever(void *argument) {
    pthread_mutex_lock(&mutex);
    for (;;)
        pthread_cond_wait(&condition, &mutex);
    return argument;
}

int main(int argc, char **argv) {
    int rank, size, provided, sum = 0, value;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, wait_for_ever, NULL);
    }
#pragma omp parallel reduction(+ : sum)
    sum += 1;
    if (sum != 3)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

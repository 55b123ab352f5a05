// Each thread has a communicator of its own.
// ranks: 2
// options: --check
// expect-not: thrum:
#include <mpi.h>

#include <pthread.h>
#include <unistd.h>

static MPI_Comm other;

static void *wait_for_all(void *unused) {
    MPI_Barrier(other);
    return unused;
}

int main(int argc, char **argv) {
    int level, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 1)
        usleep(500000);
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_all, NULL);
    if (rank == 0)
        usleep(200000);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}

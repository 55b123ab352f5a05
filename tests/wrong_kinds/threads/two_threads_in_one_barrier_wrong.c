// Two threads of each rank call a collective operation on one communicator: chance decides their
// order.
// ranks: 2
// options: --check
// exit: 16
// expect: rank [01]: MPI_Barrier: MPI_ERR_OTHER: called while another thread of the rank is in a collective
// expect: operation on the same communicator, at .*wrong\.c:(17|32) in (wait_for_all|main) \(at
// expect: .*wrong\.c:(17|32) in (wait_for_all|main)
#include <mpi.h>

#include <pthread.h>
#include <unistd.h>

static MPI_Comm other;

static void *wait_for_all(void *unused) {
    MPI_Barrier(MPI_COMM_WORLD);
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

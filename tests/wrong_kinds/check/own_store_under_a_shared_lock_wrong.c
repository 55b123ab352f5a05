// A rank stores to its window while another rank, with a shared lock, gets from there.
// ranks: 2
// flags: --check
// options: --check
// expect: warning: rank 0: MPI_Get: conflicts with the store of rank 1, which nothing has ordered before it: both
#include <mpi.h>

#include <unistd.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int memory[10] = {0}, values[10];
    MPI_Win win;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        memory[2] = 7;
        MPI_Win_unlock(1, win);
    } else {
        sleep(1);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(values, 10, MPI_INT, 1, 0, 10, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

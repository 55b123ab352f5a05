// The lock is still held when the window is freed.
// ranks: 2
// exit: 50
// expect: rank [0-9]+: MPI_Win_free: MPI_ERR_RMA_SYNC: MPI_Win_lock of rank 1 was.*wrong\.c:18
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

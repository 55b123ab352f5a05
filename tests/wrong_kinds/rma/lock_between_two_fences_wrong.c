// A lock between two fences, which make an epoch of their own.
// ranks: 2
// options: --check
// exit: 50
// expect: rank 0: MPI_Win_fence: MPI_ERR_RMA_SYNC: MPI_Win_lock_all was called since the last fence,
// expect: at .*wrong\.c:18 in main: that fence needs MPI_MODE_NOSUCCEED,
// expect: or this one MPI_MODE_NOPRECEDE \(at .*wrong\.c:22 in main\)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 7, *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock_all(win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

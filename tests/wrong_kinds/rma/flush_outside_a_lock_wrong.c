// A flush belongs into an epoch of MPI_Win_lock.
// ranks: 1
// exit: 50
// expect: rank 0: MPI_Win_flush: MPI_ERR_RMA_SYNC: no passive target epoch is open:.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_flush(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

// The kind of the lock is not one of MPI's constants.
// ranks: 1
// exit: 37
// expect: rank 0: MPI_Win_lock: MPI_ERR_LOCKTYPE: lock_type is 0, but must be.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock(0, 0, 0, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

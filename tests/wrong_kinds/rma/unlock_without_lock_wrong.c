// A window is unlocked that is not locked.
// ranks: 2
// exit: 50
// expect: rank [0-9]+: MPI_Win_unlock: MPI_ERR_RMA_SYNC: rank is 0, for which.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

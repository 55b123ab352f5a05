// An exposure epoch is waited for that was not posted.
// ranks: 2
// exit: 50
// expect: rank [0-9]+: MPI_Win_wait: MPI_ERR_RMA_SYNC: MPI_Win_post was not called:.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_wait(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

// A window is used after it was freed.
// ranks: 2
// exit: 56
// expect: rank [0-9]+: MPI_Win_fence: MPI_ERR_WIN: win is MPI_WIN_NULL \(at .*wrong\.c:13 in main\)
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_free(&win);
    MPI_Win_fence(0, win);
    MPI_Finalize();
    return 0;
}

// Two ranks put to one place in one epoch.
// ranks: 3
// env: THRUM_CHECK=1
// modes: fibers-1 fibers-2 os-threads
// expect: warning: rank [012]: MPI_Put: conflicts with .*bytes 0 to 3 of the window of rank 0 .*wrong\.c:16
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

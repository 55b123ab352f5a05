// Accumulates of two ranks have different operations.
// ranks: 3
// env: THRUM_CHECK=1
// modes: fibers-1 fibers-2 os-threads
// expect: warning: rank [12]: MPI_Accumulate: conflicts with .*bytes 0 to 3 .*wrong\.c:(18|20).*wrong\.c:(18|20)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, before;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    if (rank == 2)
        MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MAX, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

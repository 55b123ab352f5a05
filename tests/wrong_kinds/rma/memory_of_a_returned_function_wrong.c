// The memory of a window is a variable of a function that returns before the window is freed.
// ranks: 2
// options: --check
// expect: warning: rank 0: MPI_Win_free: the memory of the window that MPI_Win_create has made was
// expect: on the stack of a function that has returned \(MPI_Win_create at .*_wrong\.c:12 in make_window
// expect: MPI_Win_free at .*_wrong\.c:22 in main
#include <mpi.h>

__attribute__((noinline)) static void make_window(int rank, MPI_Win *win) {
    int memory[100] = {0};
    const MPI_Aint size_bytes = rank == 0 ? sizeof memory : 0;
    MPI_Win_create(memory, size_bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, win);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_window(rank, &win);
    // what is written into the window here would destroy other variables
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

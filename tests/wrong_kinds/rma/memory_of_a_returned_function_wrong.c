// The memory of a window is a variable of a function that returns before the window is freed.
// ranks: 2
// options: --check
// expect: warning: rank [01]: MPI_Win_free: the memory of the window that MPI_Win_create has made was
// expect: on the stack of a function that has returned \(MPI_Win_create at .*_wrong\.c:11 in make_window
// expect: MPI_Win_free at .*_wrong\.c:19 in main
#include <mpi.h>

__attribute__((noinline)) static void make_window(MPI_Win *win) {
    int memory[100] = {0};
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, win);
}

int main(int argc, char **argv) {
    MPI_Win win;
    MPI_Init(&argc, &argv);
    make_window(&win);
    // what is written into the window here would destroy other variables
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

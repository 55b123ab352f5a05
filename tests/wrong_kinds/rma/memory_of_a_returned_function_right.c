// The memory of a window is a variable of a function that returns after the window is freed.
// ranks: 2
// options: --check
// expect-not: thrum:
#include <mpi.h>

static void make_window(int *memory, MPI_Aint size_bytes, MPI_Win *win) {
    MPI_Win_create(memory, size_bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, win);
}

int main(int argc, char **argv) {
    MPI_Win win;
    MPI_Init(&argc, &argv);
    int memory[100] = {0};
    make_window(memory, sizeof memory, &win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

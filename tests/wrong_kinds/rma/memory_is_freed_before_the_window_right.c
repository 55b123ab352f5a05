// The memory of a window is freed after the window.
// ranks: 2
// flags: --check
// options: --check
// expect-not: thrum:
#include <mpi.h>

#include <stdlib.h>

int main(int argc, char **argv) {
    MPI_Win win;
    MPI_Init(&argc, &argv);
    int *memory = malloc(800);
    MPI_Win_create(memory, 800, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    free(memory);
    MPI_Finalize();
    return 0;
}

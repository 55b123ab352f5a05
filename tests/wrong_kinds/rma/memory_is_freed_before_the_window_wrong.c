// The memory of a window is freed before the window.
// ranks: 2
// flags: --check
// options: --check
// expect: warning: rank [01]: free: frees memory of the window that MPI_Win_create has made \(
// expect: MPI_Win_create at .*_wrong\.c:15 in main; free at .*_wrong\.c:16 in main
#include <mpi.h>

#include <stdlib.h>

int main(int argc, char **argv) {
    MPI_Win win;
    MPI_Init(&argc, &argv);
    int *memory = malloc(800);
    MPI_Win_create(memory, 800, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    free(memory);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

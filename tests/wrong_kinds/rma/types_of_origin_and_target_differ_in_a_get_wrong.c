// The origin gets a float as an integer.
// ranks: 2
// expect: warning: rank [0-9,-]+: MPI_Get: the origin buffer has 1 MPI_INT, but the.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *memory, value;
    MPI_Win win;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_FLOAT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

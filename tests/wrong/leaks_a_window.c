// ranks: 3
// expect: warning: 3 windows made by MPI_Win_allocate at .*:9 in main .* freed \(ranks 0-2, one each\)$
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Finalize();
    return 0;
}

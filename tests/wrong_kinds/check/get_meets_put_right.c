// Both read it.
// ranks: 3
// env: THRUM_CHECK=1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    if (rank == 2)
        MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

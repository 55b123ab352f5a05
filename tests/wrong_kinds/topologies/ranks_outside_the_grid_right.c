// Rank 2 does not use the grid.
// ranks: 3
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int dims[1] = {2}, periods[1] = {1}, left, right;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    if (grid != MPI_COMM_NULL) {
        MPI_Cart_shift(grid, 0, 1, &left, &right);
        MPI_Comm_free(&grid);
    }
    MPI_Finalize();
    return 0;
}

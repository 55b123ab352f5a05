// Rank 2 has no place in the grid of 2 ranks.
// ranks: 3
// exit: 5
// expect: rank [0-9]+: MPI_Cart_shift: MPI_ERR_COMM: comm is MPI_COMM_NULL \(at.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int dims[1] = {2}, periods[1] = {1}, left, right;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &left, &right);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}

// The grid has 4 places, the communicator 3 ranks.
// ranks: 3
// exit: 12
// expect: rank [0-9]+: MPI_Cart_create: MPI_ERR_DIMS: the grid is too large:.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int dims[2] = {2, 2}, periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}

// The coordinate is outside the grid, which is not periodic.
// exit: 13
// expect: rank [0-9,-]+: MPI_Cart_rank: MPI_ERR_ARG: coords\[0\] is 2, but dimension.*wrong\.c:15
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[2] = {2, 2}, periods[2] = {0, 0}, place[2], neighbour;
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, place);
    place[0] += 1;
    MPI_Cart_rank(grid, place, &neighbour);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}

// The ranks describe different grids.
// exit: 13
// expect: rank [0-9,-]+: MPI_Cart_create: MPI_ERR_ARG: ranks disagree: rank [0-9,-]+.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[2] = {rank == 0 ? 4 : 2, rank == 0 ? 1 : 2}, periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}

// A count that is computed has become negative.
// ranks: 2
// exit: 2
// expect: rank 0: MPI_Send: MPI_ERR_COUNT: count is -2, but must not be negative \(at.*wrong\.c:14
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7, first = 4;
    const int last = 2;
    if (rank == 0)
        MPI_Send(&value, last - first, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

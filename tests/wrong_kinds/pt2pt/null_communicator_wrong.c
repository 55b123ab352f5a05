// Rank 2 is not in the communicator that it uses.
// ranks: 3
// exit: 5
// expect: rank [0-9]+: MPI_Barrier: MPI_ERR_COMM: comm is MPI_COMM_NULL \(at.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
    MPI_Barrier(pair);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}

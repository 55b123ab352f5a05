// A neighbourhood collective on a communicator without topology.
// ranks: 2
// exit: 11
// expect: rank [0-9]+: MPI_Neighbor_allgather: MPI_ERR_TOPOLOGY: comm is.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine = rank, theirs[2];
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

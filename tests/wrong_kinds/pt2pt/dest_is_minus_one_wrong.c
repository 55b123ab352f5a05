// Rank 0 has no left neighbour: -1 is not a rank to send to.
// ranks: 3
// exit: 6
// expect: rank 0: MPI_Send: MPI_ERR_RANK: dest is MPI_ANY_SOURCE, which is only valid.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank - 1, got;
    MPI_Send(&rank, 1, MPI_INT, left, 0, MPI_COMM_WORLD);
    if (rank + 1 < size)
        MPI_Recv(&got, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

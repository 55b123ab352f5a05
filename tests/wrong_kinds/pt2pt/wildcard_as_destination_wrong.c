// Rank 0 sends to MPI_ANY_SOURCE.
// ranks: 2
// exit: 6
// expect: rank 0: MPI_Send: MPI_ERR_RANK: dest is MPI_ANY_SOURCE, which is only valid.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

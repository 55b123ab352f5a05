// Rank 2 does not want to be in a part and does not call MPI_Comm_split.
// ranks: 3
// exit: 16
// expect: ranks disagree on the operation: rank [01] calls MPI_Comm_split, rank 2 calls MPI_Barrier .*wrong\.c:(13|14)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm half = MPI_COMM_NULL;
    if (rank != 2)
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &half);
    MPI_Barrier(MPI_COMM_WORLD);
    if (half != MPI_COMM_NULL)
        MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}

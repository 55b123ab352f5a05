// Colours are not negative.
// ranks: 3
// exit: 13
// expect: MPI_Comm_split: MPI_ERR_ARG: (rank 0: )?color is -1, but must be .*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? -1 : rank, 0, &part);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}

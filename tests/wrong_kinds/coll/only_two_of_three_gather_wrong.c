// A rank leaves the loop early.
// ranks: 3
// exit: 16
// expect: ranks disagree on the operation: rank [01] calls MPI_Allgather, rank 2.*wrong\.c:(13|14)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, all[3];
    if (value < 2)
        MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

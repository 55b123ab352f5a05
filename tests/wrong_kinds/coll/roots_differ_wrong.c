// Each rank believes to be the root.
// ranks: 3
// exit: 8
// expect: rank [0-9]+: MPI_[A-Za-z_]+: MPI_ERR_ROOT: ranks disagree on root: rank.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, rank, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// The root broadcasts a double, the other rank expects two integers.
// ranks: 2
// expect: warning: rank 1: MPI_Bcast: rank 0 has 1 MPI_DOUBLE, but rank.*wrong\.c:12.*wrong\.c:14
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double value = rank;
    if (rank == 0)
        MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(&value, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

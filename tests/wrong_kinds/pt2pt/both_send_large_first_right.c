// MPI_Sendrecv does both at once.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static double mine[200000], theirs[200000];
    int other = 1 - rank;
    MPI_Sendrecv(mine, 200000, MPI_DOUBLE, other, 0, theirs, 200000, MPI_DOUBLE, other, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

// All send one element to each.
// ranks: 3
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int mine[6] = {rank}, theirs[6];
    int count = 1;
    MPI_Alltoall(mine, count, MPI_INT, theirs, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

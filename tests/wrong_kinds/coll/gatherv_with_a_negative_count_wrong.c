// A receive count of the root is negative.
// ranks: 3
// exit: 2
// expect: rank [0-9]+: MPI_Gatherv: MPI_ERR_COUNT: recvcounts\[1\] is -1 \(at.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, all[3], counts[3] = {1, -1, 1}, places[3] = {0, 1, 2};
    MPI_Gatherv(&value, 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

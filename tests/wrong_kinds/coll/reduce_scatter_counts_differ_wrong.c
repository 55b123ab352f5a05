// The ranks disagree on the counts of MPI_Reduce_scatter.
// ranks: 2
// exit: 2
// expect: MPI_Reduce_scatter: MPI_ERR_COUNT: ranks disagree on recvcounts: rank 0 and rank 1 pass.*_wrong\.c:13 in main
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[4] = {0}, mine[3];
    int counts[2] = {1 + rank, 3 - rank};
    MPI_Reduce_scatter(values, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

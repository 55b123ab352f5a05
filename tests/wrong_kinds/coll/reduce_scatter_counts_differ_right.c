// All pass the same counts.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int values[4] = {0}, mine[3];
    int counts[2] = {1, 3};
    MPI_Reduce_scatter(values, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

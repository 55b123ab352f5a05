// Two ranks scatter over two communicators, in another order.
// ranks: 2
// options: --check
// expect: thrum: warning: ranks wait for each other if collective operations synchronize:
// expect-not: DEADLOCK
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, values[2] = {1, 2}, value;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Scatter(values, 1, MPI_INT, &value, 1, MPI_INT, rank, rank == 0 ? other : MPI_COMM_WORLD);
    MPI_Scatter(values, 1, MPI_INT, &value, 1, MPI_INT, !rank, rank == 0 ? MPI_COMM_WORLD : other);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}

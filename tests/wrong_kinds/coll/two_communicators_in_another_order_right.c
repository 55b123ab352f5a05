// Both use them in one order.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(other);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}

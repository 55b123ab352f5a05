// It is freed at the end.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    copy = comm;
    MPI_Barrier(copy);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}

// A communicator is freed after MPI_Finalize.
// ranks: 2
// exit: 16
// expect: rank [0-9]+: MPI_Comm_free: MPI_ERR_OTHER: called after MPI_Finalize \(at.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Finalize();
    MPI_Comm_free(&comm);
    return 0;
}

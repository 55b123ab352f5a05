// MPI_Comm_free sets the handle to MPI_COMM_NULL, which cannot be freed.
// ranks: 2
// exit: 5
// expect: rank [0-9]+: MPI_Comm_free: MPI_ERR_COMM: comm is MPI_COMM_NULL \(at.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}

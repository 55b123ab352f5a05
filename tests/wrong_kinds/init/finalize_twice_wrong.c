// MPI_Finalize is called twice.
// ranks: 2
// exit: 16
// expect: rank [0-9,-]+: MPI_Finalize: MPI_ERR_OTHER: called after MPI_Finalize \(at.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Finalize();
    return 0;
}

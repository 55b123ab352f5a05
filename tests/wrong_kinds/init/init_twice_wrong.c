// A library initialises MPI again.
// ranks: 2
// exit: 16
// expect: rank [0-9]+: MPI_Init: MPI_ERR_OTHER: MPI is already initialized \(at.*wrong\.c:9
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}

// MPI_Finalize is missing.
// ranks: 2
// exit: 1
// expect: rank [0-9,-]+ ended with exit code 0 without calling MPI_Finalize
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

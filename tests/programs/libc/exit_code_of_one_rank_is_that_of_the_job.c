// ranks: 4
// exit: 7
// MPI 5.0 section 11.5 leaves exit codes to mpiexec: ours hands on the code of the rank that
// failed.
#include "check.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    exit(rank == 2 ? 7 : 0);
}

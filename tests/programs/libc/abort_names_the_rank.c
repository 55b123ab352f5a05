// ranks: 4
// exit: 134
// expect: rank 3\b.*abort\(\)
// abort() of one rank ends the job; the message says whose it was.
#include "check.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 3)
        abort();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

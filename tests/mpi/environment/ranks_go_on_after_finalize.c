// MPI 5.0 section 11.2.2: "Although it is not required that all processes return from MPI_FINALIZE,
// it is required that ... at least the MPI process that was assigned rank 0 in MPI_COMM_WORLD
// returns"; "in a POSIX environment, users may desire to supply an exit code for each process that
// returns from MPI_FINALIZE." Here all return.
// ranks: 4
// exit: 5
// expect: ^rank 0 is still here$
// expect: ^rank 1 is still here$
// expect: ^rank 2 is still here$
// expect: ^rank 3 is still here$
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    finish();
    printf("rank %d is still here\n", rank);
    return rank == 2 ? 5 : 0;
}

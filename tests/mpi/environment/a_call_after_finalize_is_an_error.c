// MPI 5.0 section 11.2.2: "Once MPI_FINALIZE returns, no MPI procedure may be called in the World
// Model (not even MPI_INIT, or freeing objects created within the World Model), except for those
// listed in Section" 11.4.1.
// ranks: 1 2
// exit: nonzero
// expect: rank [01]: MPI_Barrier: .*called after MPI_Finalize
// expect-not: still here
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    finish();
    MPI_Barrier(MPI_COMM_WORLD);
    printf("still here\n");
    return 0;
}

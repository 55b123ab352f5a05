// MPI 5.0 section 9.3: "Unless otherwise requested, the error handler MPI_ERRORS_ARE_FATAL is set
// as the default initial error handler and associated with predefined communicators. Thus, if the
// user chooses not to control error handling, every error that MPI handles is treated as fatal."
// ranks: 3
// exit: nonzero
// expect: ^thrum: rank 1: MPI_Bcast: MPI_ERR_ROOT: root is 3
// expect-not: still here
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int value = 0;
    if (rank == 1) {
        MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD);
        printf("still here\n");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("still here\n");
    return finish();
}

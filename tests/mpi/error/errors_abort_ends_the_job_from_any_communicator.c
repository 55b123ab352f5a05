// MPI 5.0 section 9.3: MPI_ERRORS_ABORT: "The handler, when called, is invoked on a communicator in
// a manner similar to calling MPI_ABORT on that communicator."
// ranks: 2
// exit: nonzero
// expect: rank 1: MPI_Group_size: MPI_ERR_GROUP
// expect-not: still here
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int value = 0;
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT));
    if (rank == 1) {
        MPI_Group_size(MPI_GROUP_NULL, &value);
        printf("still here\n");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}

// MPI 5.0 section 11.2.1: "MPI_COMM_WORLD and MPI_COMM_SELF are not valid for use as communicators
// prior to invocation of MPI_INIT or MPI_INIT_THREAD"; section 9.3: the initial error handler is
// called, by default MPI_ERRORS_ARE_FATAL.
// ranks: 1 2
// exit: nonzero
// expect: rank [01]: MPI_Comm_size: .*called before MPI_Init
// expect-not: still here
#include <mpi.h>

#include <stdio.h>

int main(int argc, char **argv) {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("still here\n");
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}

// The place for the result is a null pointer.
// ranks: 1
// exit: 13
// expect: rank 0: MPI_Comm_size: MPI_ERR_ARG: size is a null pointer \(at .*wrong\.c:10 in main\)
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *members = NULL;
    MPI_Comm_size(MPI_COMM_WORLD, members);
    MPI_Finalize();
    return 0;
}

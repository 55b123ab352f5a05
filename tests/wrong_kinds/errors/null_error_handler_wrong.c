// MPI_ERRHANDLER_NULL is not an error handler.
// ranks: 1
// exit: 61
// expect: rank 0: MPI_Comm_set_errhandler: MPI_ERR_ERRHANDLER: errhandler is.*wrong\.c:9
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRHANDLER_NULL);
    MPI_Finalize();
    return 0;
}

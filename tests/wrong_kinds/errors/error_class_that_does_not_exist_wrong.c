// The code is not an error code.
// ranks: 1
// exit: 13
// expect: rank 0: MPI_Error_string: MPI_ERR_ARG: errorcode is 123456, which is.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(123456, text, &length);
    MPI_Finalize();
    return 0;
}

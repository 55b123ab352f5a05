// It is one.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(MPI_ERR_RANK, text, &length);
    MPI_Finalize();
    return 0;
}

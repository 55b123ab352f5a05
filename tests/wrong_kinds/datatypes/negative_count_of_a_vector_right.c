// Only the stride is negative.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype column;
    MPI_Type_vector(2, 1, -4, MPI_INT, &column);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}

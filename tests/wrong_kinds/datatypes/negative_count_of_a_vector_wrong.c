// The number of blocks is negative; the stride may be.
// ranks: 1
// exit: 2
// expect: rank 0: MPI_Type_vector: MPI_ERR_COUNT: count is -2, but must not be.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype column;
    MPI_Type_vector(-2, 1, 4, MPI_INT, &column);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}

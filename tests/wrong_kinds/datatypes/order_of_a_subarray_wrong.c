// The order is not one of MPI's constants.
// ranks: 1
// exit: 13
// expect: rank 0: MPI_Type_create_subarray: MPI_ERR_ARG: order is 1; it must be.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int sizes[2] = {8, 8}, part[2] = {4, 4}, start[2] = {0, 0};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, part, start, 1, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}

// The subarray ends behind the array.
// ranks: 1
// exit: 13
// expect: rank 0: MPI_Type_create_subarray: MPI_ERR_ARG: array_of_starts\[1\] is 5; a.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int sizes[2] = {8, 8}, part[2] = {4, 4}, start[2] = {4, 5};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}

// The second member of the struct has no type.
// ranks: 1
// exit: 3
// expect: rank 0: MPI_Type_create_struct: MPI_ERR_TYPE: array_of_types\[1\] is.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_DATATYPE_NULL}, record;
    MPI_Type_create_struct(2, lengths, places, types, &record);
    MPI_Type_free(&record);
    MPI_Finalize();
    return 0;
}

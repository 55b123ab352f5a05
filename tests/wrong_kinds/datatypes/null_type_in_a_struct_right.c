// It has one.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, record;
    MPI_Type_create_struct(2, lengths, places, types, &record);
    MPI_Type_free(&record);
    MPI_Finalize();
    return 0;
}

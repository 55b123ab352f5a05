// A block may be empty.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int lengths[2] = {2, 0}, places[2] = {0, 4};
    MPI_Datatype type;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}

// A block has a negative length.
// ranks: 1
// exit: 2
// expect: rank 0: MPI_Type_indexed: MPI_ERR_COUNT: array_of_blocklengths\[1\] is -1;.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int lengths[2] = {2, -1}, places[2] = {0, 4};
    MPI_Datatype type;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}

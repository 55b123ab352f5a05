// A duplicate can be.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype type = MPI_INT;
    MPI_Type_dup(MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}

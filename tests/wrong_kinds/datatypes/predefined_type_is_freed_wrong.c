// Predefined datatypes cannot be freed.
// ranks: 1
// exit: 3
// expect: rank 0: MPI_Type_free: MPI_ERR_TYPE: datatype is MPI_INT, which is.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype type = MPI_INT;
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}

// The datatype was never set.
// ranks: 2
// exit: 3
// expect: rank [01]: MPI_(Send|Recv): MPI_ERR_TYPE: datatype is.*wrong\.c:(14|16)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (rank == 0)
        MPI_Send(&value, 1, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

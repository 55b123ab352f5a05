// MPI_Type_commit is missing.
// ranks: 2
// exit: 3
// expect: rank [01]: MPI_(Send|Recv): MPI_ERR_TYPE: datatype is a contiguous.*wrong\.c:(15|17)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[4] = {rank};
    MPI_Datatype row;
    MPI_Type_contiguous(4, MPI_INT, &row);
    if (rank == 0)
        MPI_Send(values, 1, row, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 1, row, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}

// The type is committed.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int values[4] = {rank};
    MPI_Datatype row;
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    if (rank == 0)
        MPI_Send(values, 1, row, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(values, 1, row, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}

// The type is freed at the end.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int values[4] = {0};
    MPI_Datatype row, copy;
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    copy = row;
    MPI_Bcast(values, 1, copy, 0, MPI_COMM_WORLD);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}

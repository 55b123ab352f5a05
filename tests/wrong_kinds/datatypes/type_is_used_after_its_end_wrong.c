// A copy of the handle is used after MPI_Type_free.
// ranks: 2
// exit: 3
// expect: rank [01]: MPI_Bcast: MPI_ERR_TYPE: datatype is 0x[0-9a-f]+, which MPI_Type_free has freed at
// expect: .*wrong\.c:15 in main; made by MPI_Type_contiguous at .*wrong\.c:12 in main \(at .*wrong\.c:16
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int values[4] = {0};
    MPI_Datatype row, copy;
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    copy = row;
    MPI_Type_free(&row);
    MPI_Bcast(values, 1, copy, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

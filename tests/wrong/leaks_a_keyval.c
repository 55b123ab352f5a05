// The attribute does not free its keyval.
// ranks: 2
// expect: warning: 2 keyvals made by MPI_Comm_create_keyval at .*:10 in main .* freed \(ranks 0,1, one each\)$
// expect: warning: 2 keyvals made by MPI_Type_create_keyval at .*:12 in main .* freed \(ranks 0,1, one each\)$
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int keyval, of_type;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &keyval);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &of_type, NULL);
    MPI_Finalize();
    return 0;
}

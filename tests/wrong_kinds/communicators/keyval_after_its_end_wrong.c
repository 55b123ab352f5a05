// A keyval is used after it was freed.
// ranks: 1
// exit: 36
// expect: rank 0: MPI_Comm_set_attr: MPI_ERR_KEYVAL: keyval is 1048576, which is not.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int keyval, copy;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    copy = keyval;
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_set_attr(MPI_COMM_SELF, copy, &copy);
    MPI_Finalize();
    return 0;
}

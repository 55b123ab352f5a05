// MPI_TAG_UB belongs to MPI.
// ranks: 1
// exit: 36
// expect: rank 0: MPI_Comm_set_attr: MPI_ERR_KEYVAL: keyval is 501, a predefined.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *bound, found;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
    MPI_Comm_set_attr(MPI_COMM_WORLD, MPI_TAG_UB, &found);
    MPI_Finalize();
    return 0;
}

// The program may read it.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int *bound, found;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
    MPI_Finalize();
    return 0;
}

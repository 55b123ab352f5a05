// It is a variable.
// ranks: 1
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int members;
    MPI_Comm_size(MPI_COMM_WORLD, &members);
    MPI_Finalize();
    return 0;
}

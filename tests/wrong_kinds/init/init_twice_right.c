// It asks first.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int initialised;
    MPI_Initialized(&initialised);
    if (!initialised)
        MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}

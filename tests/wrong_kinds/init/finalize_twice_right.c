// The second call depends on MPI_Finalized.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int finalized;
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Finalized(&finalized);
    if (!finalized)
        MPI_Finalize();
    return 0;
}

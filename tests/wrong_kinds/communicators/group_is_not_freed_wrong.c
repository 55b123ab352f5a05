// The group of a communicator is a handle that must be freed.
// ranks: 2
// expect: warning: 2 groups made by MPI_Comm_group at.*wrong\.c:9
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Finalize();
    return 0;
}

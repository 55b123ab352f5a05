// It is freed at the end.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Group world;
    int members;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(world, &members);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}

// A group is used after it was freed.
// ranks: 2
// exit: 9
// expect: rank [0-9]+: MPI_Group_size: MPI_ERR_GROUP: group is MPI_GROUP_NULL \(at.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Group world;
    int members;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_free(&world);
    MPI_Group_size(world, &members);
    MPI_Finalize();
    return 0;
}

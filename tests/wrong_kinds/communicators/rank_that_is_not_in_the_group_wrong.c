// The group has ranks 0 and 1.
// ranks: 2
// exit: 6
// expect: rank [0-9]+: MPI_Group_incl: MPI_ERR_RANK: ranks\[0\] is 2, but group has 2.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Group world, part;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &size, &part);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}

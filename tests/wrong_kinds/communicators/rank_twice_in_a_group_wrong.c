// A rank appears twice in a group.
// ranks: 2
// exit: 6
// expect: rank [0-9]+: MPI_Group_incl: MPI_ERR_RANK: ranks\[1\] is 1, which appears.*wrong\.c:11
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Group world, part;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){1, 1}, &part);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}

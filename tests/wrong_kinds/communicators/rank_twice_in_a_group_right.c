// Each rank appears once.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Group world, part;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){1, 0}, &part);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}

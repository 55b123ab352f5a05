// Its last rank is 1.
// ranks: 2
// expect-not: thrum:
#include <mpi.h>

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Group world, part;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){size - 1}, &part);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}

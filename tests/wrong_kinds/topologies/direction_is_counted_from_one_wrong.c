// Directions are counted from 0.
// ranks: 2
// exit: 12
// expect: rank [0-9]+: MPI_Cart_shift: MPI_ERR_DIMS: direction is 1, but the grid has.*wrong\.c:14
#include <mpi.h>

int main(int argc, char **argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left, right;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &size, 0, &ring);
    MPI_Cart_shift(ring, 1, 1, &left, &right);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}

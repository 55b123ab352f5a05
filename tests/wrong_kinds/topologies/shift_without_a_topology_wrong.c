// The communicator has no topology.
// ranks: 2
// exit: 11
// expect: rank [0-9]+: MPI_Cart_shift: MPI_ERR_TOPOLOGY: comm is MPI_COMM_WORLD,.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int left, right;
    MPI_Cart_shift(MPI_COMM_WORLD, 0, 1, &left, &right);
    MPI_Finalize();
    return 0;
}

// MPI_COMM_WORLD cannot be freed.
// ranks: 2
// exit: 5
// expect: rank [0-9]+: MPI_Comm_free: MPI_ERR_COMM: comm is MPI_COMM_WORLD, which.*wrong\.c:10
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}

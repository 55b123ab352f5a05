// MPI_ROOT is for inter-communicators.
// ranks: 2
// exit: 8
// expect: rank 0: MPI_Bcast: MPI_ERR_ROOT: root is MPI_ROOT, but MPI_COMM_WORLD is.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// The receive count of MPI_Gather is that of one rank, not of all.
// ranks: 3
// expect: warning: rank [0-9]+: MPI_Gather: rank 0 sends 1 MPI_INT \(4.*wrong\.c:12.*wrong\.c:12
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int value = rank, all[9];
    MPI_Gather(&value, 1, MPI_INT, all, size, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

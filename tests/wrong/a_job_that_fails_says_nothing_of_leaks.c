// The objects of a rank that ends by an error are not leaks, nor are those of the others.
// ranks: 3
// options: --check=error
// exit: 9
// expect-not: warning|leaks at
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Abort(comm, 9);
    MPI_Finalize();
    return 0;
}

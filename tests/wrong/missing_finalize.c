// Rank 2 returns from main() without MPI_Finalize.
// MPI 5.0 section 11.2.2: "each process must call MPI_FINALIZE before it exits".
// exit: nonzero
// expect: rank 2 .*MPI_Finalize
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        return 0;
    MPI_Finalize();
    return 0;
}

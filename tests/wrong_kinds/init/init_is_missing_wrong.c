// MPI_Init is missing.
// ranks: 2
// exit: 16
// expect: rank [01]: MPI_Comm_rank: MPI_ERR_OTHER: called before MPI_Init \(at .*wrong\.c:9 in main\)
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    return 0;
}

// Rank 2 has another idea of the root of a broadcast.
// MPI 5.0 section 6.4: "It is called by all members of the group using the same arguments for comm
// and root."
// exit: nonzero
// expect: rank [0-3].*MPI_Bcast.*mismatched_roots.c:14
// expect: MPI_ERR_ROOT: ranks disagree on root( of MPI_Bcast)?: .*rank 2 says 1
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&value, 1, MPI_INT, rank == 2 ? 1 : 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

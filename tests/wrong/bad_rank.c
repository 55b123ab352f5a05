// The last rank sends to a rank that does not exist.
// MPI 5.0 section 3.2.3: "the range of valid values for dest is 0, ..., n-1 ∪ {MPI_PROC_NULL}".
// exit: nonzero
// expect: rank 3.*MPI_Send.*bad_rank.c:15
// expect: MPI_ERR_RANK.*dest is 4
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == size - 1)
        MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

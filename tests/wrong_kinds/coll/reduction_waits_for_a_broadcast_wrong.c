// The root reduces, the other rank waits for a broadcast: each waits for the other.
// ranks: 2
// exit: nonzero
// expect: ranks disagree on the operation: rank 0 calls MPI_Reduce, rank 1 calls MPI_Bcast
// expect: wrong\.c:15 in main
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, sum = 0;
    if (rank == 0)
        // The others call MPI_Bcast.
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

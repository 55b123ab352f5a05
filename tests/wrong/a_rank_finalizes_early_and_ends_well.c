// Rank 2 finalizes and ends with code 0, but the others wait for its message: a deadlock.
// exit: 86
// expect: DEADLOCK: all [34] ranks
// expect: ranks 0,1,3: MPI_Recv from rank 2, tag 0, MPI_COMM_WORLD
// expect: rank 2(:| has ended)
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 2)
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

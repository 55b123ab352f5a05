// The last rank has no right neighbour.
// ranks: 3
// exit: 6
// expect: rank 2: MPI_Sendrecv: MPI_ERR_RANK: dest is 3, but MPI_COMM_WORLD has 3.*wrong\.c:13
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int right = rank + 1;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, got = 0;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

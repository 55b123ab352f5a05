// The root sends a message after the broadcast, and another rank receives it before.
// ranks: 3
// options: --check
// expect: thrum: warning: ranks wait for each other if collective operations synchronize:
// expect: rank 0: MPI_Bcast on MPI_COMM_WORLD, at .*_wrong\.c:14 in main; missing: ranks 1,2
// expect-not: DEADLOCK
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0)
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// Rank 1 waits for a message that nobody sends, and the others for it, in MPI_Finalize.
// MPI 5.0 section 11.2.2: "each process must call MPI_FINALIZE before it exits. Before an MPI
// process invokes MPI_FINALIZE, the process must perform all MPI calls needed to complete its
// involvement in MPI communications".
// ranks: 3
// exit: 86
// expect: DEADLOCK: all 3 ranks are blocked
// expect: ranks 0,2: MPI_Finalize on MPI_COMM_WORLD, .*; missing: rank 1
// expect: rank 1: MPI_Recv from rank 2, tag 4, MPI_COMM_WORLD, at .*finalize.c:[0-9]+ in main
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

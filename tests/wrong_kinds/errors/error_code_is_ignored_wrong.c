// The error of MPI_Send is returned, and ignored: no message comes.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: rank 0: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:20 in main; missing: rank 1
// expect: rank 1: MPI_Recv from rank 0, tag 0, MPI_COMM_WORLD, at .*wrong\.c:19 in main
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

// No receive matches the message, so this is a deadlock whether or not it is buffered.
// ranks: 2
// options: --check
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: rank 1: MPI_Recv from rank 0, tag 6, MPI_COMM_WORLD, at .*_wrong\.c:19 in main
// expect: rank 1 has an unmatched message from rank 0 with tag 5 on MPI_COMM_WORLD
// expect-not: buffered
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

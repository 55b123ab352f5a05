// The other ranks expect a message: a broadcast is not a send.
// ranks: 3
// exit: 86
// expect: DEADLOCK: (all 3 ranks are blocked and no message can arrive|2 of 3 ranks .*: ranks 0,1)
// expect: rank 0: MPI_(Finalize|Bcast) on MPI_COMM_WORLD, at .*wrong\.c:(19|16) in main; missing: ranks 1,2
// expect: ranks 1,2: MPI_Recv from rank 0, tag 0, MPI_COMM_WORLD, at .*wrong\.c:18 in main
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    if (rank == 0)
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

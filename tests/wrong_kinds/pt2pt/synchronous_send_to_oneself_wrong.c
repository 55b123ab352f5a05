// A synchronous send to oneself waits for a receive that comes later.
// ranks: 1
// exit: 86
// expect: DEADLOCK: rank 0 is blocked and no message can arrive
// expect: rank 0: MPI_Ssend of 4 bytes to rank 0, tag 0, MPI_COMM_WORLD, at .*wrong\.c:15 in main
// expect: rank 0 waits for itself
// expect: rank 0 has an unmatched message from rank 0 with tag 0 on MPI_COMM_WORLD
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, got;
    MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

// The probe waits for a tag that nobody sends.
// ranks: 2
// exit: 86
// expect: DEADLOCK: all 2 ranks are blocked and no message can arrive
// expect: rank 0: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:23 in main; missing: rank 1
// expect: rank 1: MPI_Probe from rank 0, tag 2, MPI_COMM_WORLD, at .*wrong\.c:20 in main
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
// expect: rank 1 has an unmatched message from rank 0 with tag 1 on MPI_COMM_WORLD
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = 7;
    MPI_Status status;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Probe(0, 2, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD, &status);
    }
    MPI_Finalize();
    return 0;
}

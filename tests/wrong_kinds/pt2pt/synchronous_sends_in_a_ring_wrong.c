// Each rank waits until its right neighbour receives, which waits for its own.
// ranks: 3
// exit: 86
// expect: DEADLOCK: all 3 ranks are blocked and no message can arrive
// expect: ranks 0-2: MPI_Ssend of 4 bytes to rank\+1 \(mod size\), tag 0,.*wrong\.c:17
// expect: 3 ranks wait for each other in a cycle: 0 -> 1 -> 2 -> 0
// expect: rank 0 has an unmatched message from rank 2 with tag 0 on MPI_COMM_WORLD
// expect: rank 1 has an unmatched message from rank 0 with tag 0 on MPI_COMM_WORLD
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, got;
    MPI_Ssend(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

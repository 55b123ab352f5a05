// Each rank of a ring waits for the end of its send before it receives.
// ranks: 3
// options: --check
// expect: thrum: warning: ranks wait for each other if messages are not buffered:
// expect: ranks 0-2: MPI_Wait, to send 400 bytes to rank.1 .mod size., tag 0, MPI_COMM_WORLD, at .*_wrong\.c:19 in main
// expect: 3 ranks wait for each other in a cycle: 0 -> 1 -> 2 -> 0
// expect-not: DEADLOCK
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int mine[100] = {rank}, other[100];
    const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Isend(mine, 100, MPI_INT, next, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(other, 100, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

// Each rank of a ring begins its send, receives, and waits then.
// ranks: 3
// options: --check
// expect-not: thrum:
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
    MPI_Recv(other, 100, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

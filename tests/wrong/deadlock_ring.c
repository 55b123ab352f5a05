// Everybody receives before it sends: no rank's send is ever reached.
// MPI 5.0 section 3.5: "The receive operation of the MPI process with rank 0 must complete before
// its send, and can complete only if the matching send of the MPI process with rank 1 is executed."
// exit: 86
// expect: DEADLOCK: all 4 ranks are blocked
// expect: ranks 0-3: MPI_Recv from rank-1 \(mod size\), tag 5, MPI_COMM_WORLD, at .*deadlock_ring.c:12 in exchange
// timeout: 30
#include <mpi.h>

static int exchange(int rank, int size) {
    int token = rank, got;
    MPI_Recv(&got, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD);
    return got;
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int got = exchange(rank, size);
    MPI_Finalize();
    return got < 0;
}

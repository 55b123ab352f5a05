// All ranks finalize, then rank 1 calls exit(3): nobody waits for it, and all others end well.
// exit: 3
// expect-not: DEADLOCK
// expect-not: wait
// timeout: 30
#include <mpi.h>

#include <stdlib.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    exit(rank == 1 ? 3 : 0);
}

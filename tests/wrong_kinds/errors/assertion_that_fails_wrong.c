// An assertion of rank 1 fails.
// ranks: 2
// exit: 134
// expect: rank 1: .*: .*wrong\.c:14: main: Assertion `rank != 1' failed\.
// expect: rank 1: abort\(\) was called, from main \(.*wrong\.c:14\)
#include <mpi.h>

#include <assert.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    assert(rank != 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// Rank 1 calls itself without end.
// options: --stack 256K
// exit: 139
// expect: rank 1 overflowed its 256 KiB stack in recurse \(.*infinite_recursion.c:[0-9]+\); run with --stack 1M
// expect: [0-9]+ more frames: infinite recursion\?
// expect: main \(.*infinite_recursion.c:22\)
// timeout: 30
#include <mpi.h>

__attribute__((noinline)) static int recurse(int depth) {
    volatile int local[16] = {depth};
    if (depth < 0)
        return 0;
    return recurse(depth + 1) + local[0];
}

int main(int argc, char **argv) {
    int rank, depth = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        depth = recurse(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return depth;
}

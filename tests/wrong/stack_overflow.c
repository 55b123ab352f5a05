// Rank 2 has a local array that is larger than its stack.
// options: --stack 256K
// exit: 139
// expect: rank 2 overflowed its 256 KiB stack in large \(.*stack_overflow.c:[0-9]+\); run with --stack (8|16)M
// expect: main \(.*stack_overflow.c:23\)
// timeout: 30
#include <mpi.h>

#include <stdio.h>

__attribute__((noinline)) static double large(int n) {
    volatile double table[1000000];
    for (int i = 0; i < 1000000; ++i)
        table[i] = i * n;
    return table[n];
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        printf("%g\n", large(rank));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

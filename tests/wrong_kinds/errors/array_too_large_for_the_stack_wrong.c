// A local array is larger than the stack.
// ranks: 2
// exit: 139
// options: --stack 256K
// expect: rank 1 overflowed its 256 KiB stack in sum \(.*wrong\.c:8\); run with --stack 1M
#include <mpi.h>

static double sum(int rank) {
    double work[100000];
    for (int i = 0; i < 100000; ++i)
        work[i] = rank + i;
    return work[rank + 50000];
}

int main(int argc, char **argv) {
    int rank;
    double mine, total;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = sum(rank);
    MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

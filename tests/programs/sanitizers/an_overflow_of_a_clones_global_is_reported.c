// The last rank, whose globals are a copy of rank 0's, writes behind an array.
#include "check.h"

static volatile int array[10];

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == size - 1)
        array[argc + 9] = 1;
    MPI_Finalize();
    return 0;
}

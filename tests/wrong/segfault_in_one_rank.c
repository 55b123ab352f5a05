// Rank 2 writes through a null pointer; the others wait in a barrier.
// MPI 5.0 section 2.8: errors of a program are no errors of MPI; what happens then is the
// implementation's.
// exit: 139
// expect: rank 2: segmentation fault at address 0x0 in update \(.*segfault_in_one_rank.c:16\)
// expect: #0 update
// expect: #1 main \(.*segfault_in_one_rank.c:24\)
// timeout: 30
#include <mpi.h>

#include <stddef.h>

double *volatile cells = NULL;

__attribute__((noinline)) static void update(double *cell, double value) {
    *cell = value;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        update(cells, 1.0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

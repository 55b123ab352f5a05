// A ring of any number of ranks, a million included: everyone passes its rank on to the right,
// meets all others, and checks the sum.
//
//   mpicc --privatize -O2 ring.c -o ring && mpiexec -n 1000000 ./ring
#include <mpi.h>

#include <stdio.h>

static int from_left = -1; // every rank has its own

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &from_left, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    long mine = from_left, sum = 0, expected = (long)size * (size - 1) / 2;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    int wrong = from_left != left || sum != expected;
    if (wrong)
        printf("rank %d: got %d from the left, and %ld together instead of %ld\n", rank, from_left,
               sum, expected);
    else if (rank == 0)
        printf("%d ranks: the sum of what everyone got is %ld\n", size, sum);
    MPI_Finalize();
    return wrong;
}

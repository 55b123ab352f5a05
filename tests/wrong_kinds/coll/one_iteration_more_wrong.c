// Rank 0 makes one iteration more than the others.
// ranks: 3
// exit: 86
// expect: rank 0: MPI_Barrier on MPI_COMM_WORLD, at .*wrong\.c:14 in main; missing: ranks 1,2
// expect: ranks 1,2: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:15 in main; missing: rank 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int iterations = rank == 0 ? 4 : 3;
    for (int i = 0; i < iterations; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

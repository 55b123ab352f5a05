// A rank leaves the loop early.
// ranks: 3
// exit: 86
// expect: ranks 0,1: MPI_Allgather on MPI_COMM_WORLD, at .*wrong\.c:14 in main; missing: rank 2
// expect: rank 2: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:15 in main; missing: ranks 0,1
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank, all[3];
    if (value < 2)
        MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// ranks: 5
// exit: 3
// expect: ^buffered by 0$
// expect: ^buffered by 4, no newline$
// MPI_Abort ends the job from outside of the other ranks; what they have printed is not lost.
#include "check.h"

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("buffered by %d%s", rank, rank == 4 ? ", no newline" : "\n");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

// The root expects a message from each rank, but sends none to itself.
// ranks: 3
// exit: 86
// expect: DEADLOCK: all 3 ranks are blocked and no message can arrive
// expect: rank 0: MPI_Recv from any source, tag 0, MPI_COMM_WORLD, at .*wrong\.c:19 in main
// expect: ranks 1,2: MPI_Finalize on MPI_COMM_WORLD, at .*wrong\.c:20 in main; missing: rank 0
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int value = rank;
    if (rank != 0)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else
        for (int i = 0; i < size; ++i)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

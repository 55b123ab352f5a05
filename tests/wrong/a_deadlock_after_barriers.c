// A deadlock after barriers is found, also if some of them were so quick that no process slept.
// ranks: 2 4
// exit: 86
// expect: DEADLOCK: all [24] ranks are blocked and no message can arrive
// expect: MPI_Recv from .*, tag 0, MPI_COMM_WORLD, at .*a_deadlock_after_barriers\.c:17 in main
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, size, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 2000; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    const int next = (rank + 1) % size;
    MPI_Recv(&value, 1, MPI_INT, next, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

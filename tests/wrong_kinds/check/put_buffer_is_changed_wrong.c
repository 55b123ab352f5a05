// The buffer of a put is changed before the epoch ends.
// ranks: 2
// env: THRUM_CHECK=1
// expect: warning: rank [01]: MPI_Win_fence: the origin buffer of MPI_Put was changed .*wrong\.c:16.*wrong\.c:18
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value = rank;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
    value = 5;
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

// The program reads what a get fetches before the epoch ends.
// ranks: 2
// flags: --check
// env: THRUM_CHECK=1
// expect: warning: rank [01]: load: reads the origin buffer of MPI_Get, .*wrong\.c:18.*; load at .*wrong\.c:19
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory, value = 0;
    MPI_Win win;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 4; ++i)
        memory[i] = 0;
    MPI_Win_fence(0, win);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (value > 100000)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

// A put changes what a get with a request may still read.
// ranks: 2
// env: THRUM_CHECK=1
// modes: fibers-1 fibers-2 os-threads
// expect: warning: rank 1: MPI_Put: conflicts with MPI_Rget of rank 1, .*wrong\.c:19.*wrong\.c:20
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int value;
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Request request;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    if (rank == 1) {
        MPI_Rget(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win, &request);
        MPI_Put(&rank, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

// Two ranks hold a window's lock each and want the other's.
// MPI 5.0 section 12.5.3: "In order to ensure a portable deadlock free program, a user must assume
// that MPI_WIN_LOCK may delay its return until the desired lock on the window has been acquired."
// ranks: 2
// exit: 86
// expect: rank 0: MPI_Win_lock\(exclusive, rank 1\) on window "grid", which rank 1 holds exclusively
// expect: rank 1: MPI_Win_lock\(exclusive, rank 0\) on window "grid", which rank 0 holds exclusively
// expect: at .*window_locks_in_a_circle.c:22 in main
// expect: 2 ranks wait for each other in a cycle: 0 -> 1 -> 0
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, *memory;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_name(win, "grid");
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
    MPI_Win_unlock(1 - rank, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

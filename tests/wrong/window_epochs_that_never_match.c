// Rank 0 starts an epoch that rank 1 does not post, rank 2 waits for one that rank 1 does not
// complete, rank 3 is in a fence to which nobody comes, rank 4 wants a lock of all targets.
// MPI 5.0 section 12.5.2: MPI_WIN_START: "Each MPI process in group must issue a matching call to
// MPI_WIN_POST."
// ranks: 5
// exit: 86
// expect: rank 0: MPI_Win_start on a window of MPI_COMM_WORLD: rank 1 has not called MPI_Win_post, at
// expect: rank 2: MPI_Win_wait on a window of MPI_COMM_WORLD: rank 1 has not called MPI_Win_complete
// expect: rank 3: MPI_Win_fence on "a window of MPI_COMM_WORLD" \(5 ranks\), at .*; missing: ranks 0-2,4
// expect: rank 4: MPI_Win_lock_all on window "other", which rank 1 holds exclusively, at
// expect: rank 1: MPI_Recv from rank 0
// timeout: 30
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, one = 1, *memory;
    MPI_Win win, fenced, other;
    MPI_Group world, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &fenced);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &other);
    MPI_Win_set_name(other, "other");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &one, &group);
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 3, 0, other);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Win_start(group, 0, win);
    if (rank == 1)
        MPI_Recv(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2) {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    if (rank == 3)
        MPI_Win_fence(0, fenced);
    if (rank == 4)
        MPI_Win_lock_all(0, other);
    MPI_Finalize();
    return 0;
}

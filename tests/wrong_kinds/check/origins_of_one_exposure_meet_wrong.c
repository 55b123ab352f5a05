// Two origins put to one place while the target exposes it.
// ranks: 3
// env: THRUM_CHECK=1
// modes: fibers-1 fibers-2 os-threads
// expect: warning: rank [12]: MPI_Put: conflicts with MPI_Put of rank [12] in the same epoch: .*wrong\.c:24
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory;
    MPI_Win win;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    const int origins[] = {1, 2}, target[] = {0};
    MPI_Group_incl(world, rank == 0 ? 2 : 1, rank == 0 ? origins : target, &group);
    if (rank == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    } else {
        MPI_Win_start(group, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

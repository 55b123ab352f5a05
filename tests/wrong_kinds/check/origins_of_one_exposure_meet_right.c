// They put to different places.
// ranks: 3
// env: THRUM_CHECK=1
// expect-not: thrum:
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
        MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

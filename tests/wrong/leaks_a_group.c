// MPI_Comm_group returns the same group several times, and each time it must be freed. The group
// of a window is freed here.
// ranks: 2
// expect: warning: 6 groups made by MPI_Comm_group at .*:12 in main .* freed \(ranks 0,1, 3 each\)$
// expect: warning: 2 groups made by MPI_Group_incl at .*:14 in main .* freed \(ranks 0,1, one each\)$
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Group group, sub, of_window;
    for (int i = 0; i < 3; ++i)
        MPI_Comm_group(MPI_COMM_WORLD, &group);
    int first = 0;
    MPI_Group_incl(group, 1, &first, &sub);
    MPI_Win win;
    MPI_Win_create(MPI_BOTTOM, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &of_window);
    MPI_Win_free(&win);
    MPI_Group_free(&of_window);
    MPI_Finalize();
    return 0;
}

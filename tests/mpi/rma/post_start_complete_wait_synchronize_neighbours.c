// MPI 5.0 section 12.5.2: MPI_WIN_START "Opens an RMA access epoch for win. RMA calls issued on win
// during this epoch must access only windows at MPI processes in group." MPI_WIN_WAIT: "When the
// call returns, all these RMA accesses will have completed at the target window."
// ranks: 1 2 3 16
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, left = left_neighbour(), right = right_neighbour();
    MPI_Win win = int_window(2, -1, &memory);
    int both[2] = {left, right};
    int neighbours = left == right ? 1 : 2;
    MPI_Group group = group_of(neighbours, both);
    for (int round = 0; round < 50; ++round) {
        int value = 1000 * round + rank;
        CHECK_SUCCESS(MPI_Win_post(group, 0, win));
        CHECK_SUCCESS(MPI_Win_start(group, 0, win));
        CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win));
        CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, left, 1, 1, MPI_INT, win));
        CHECK_SUCCESS(MPI_Win_complete(win));
        CHECK_SUCCESS(MPI_Win_wait(win));
        CHECK_EQUAL(memory[0], 1000 * round + left);
        CHECK_EQUAL(memory[1], 1000 * round + right);
    }
    MPI_Group_free(&group);
    free_window(&win);
    return finish();
}

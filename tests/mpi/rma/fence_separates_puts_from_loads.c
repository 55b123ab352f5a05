// MPI 5.0 section 12.5.1: "All RMA operations on win originating at a given origin process and
// started before the fence call will complete at that MPI process before the fence call returns.
// They will be completed at their target before the fence call returns at the target."
// ranks: 1 2 5 32
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, got = -1;
    MPI_Win win = int_window(2, -1, &memory);
    MPI_Win_fence(0, win);
    for (int round = 0; round < 20; ++round) {
        int value = 1000 * round + rank;
        CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, right_neighbour(), round % 2, 1, MPI_INT, win));
        MPI_Win_fence(0, win);
        CHECK_EQUAL(memory[round % 2], 1000 * round + left_neighbour());
        CHECK_SUCCESS(MPI_Get(&got, 1, MPI_INT, right_neighbour(), round % 2, 1, MPI_INT, win));
        MPI_Win_fence(0, win);
        CHECK_EQUAL(got, value);
    }
    free_window(&win);
    return finish();
}

// MPI 5.0 section 12.5.5: "The assert argument does not change program semantics if it provides
// correct information on the program"; "Users may always provide assert = 0 to indicate a general
// case where no guarantees are made."
// ranks: 1 3
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory;
    MPI_Win win = int_window(1, 0, &memory);
    for (int round = 1; round < 10; ++round) {
        int value = round * 100 + rank;
        MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, win);
        CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, right_neighbour(), 0, 1, MPI_INT, win));
        MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
        CHECK_EQUAL(memory[0], round * 100 + left_neighbour());
        // Neither before nor behind this fence is an operation: it orders nothing.
        MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win);
        // MPI_MODE_NOSUCCEED has said that no epoch begins.
        CHECK_ERROR(MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free_window(&win);
    return finish();
}

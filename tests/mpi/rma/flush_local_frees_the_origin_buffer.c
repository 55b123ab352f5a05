// MPI 5.0 section 12.5.4: MPI_WIN_FLUSH_LOCAL: "All outstanding RMA operations initiated on win by
// the MPI process calling this procedure to the target with rank in the group of the specified
// window will have completed at the origin when MPI_WIN_FLUSH_LOCAL returns. For example, after
// this procedure returns, the user may reuse any buffers provided to put, get, or accumulate
// operations."
// ranks: 1 3
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { count = 64 };

    int *memory, value, right = right_neighbour();
    MPI_Win win = int_window(count, 0, &memory);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < count; ++i) {
        value = rank * 1000 + i;
        MPI_Put(&value, 1, MPI_INT, right, i, 1, MPI_INT, win);
        CHECK_SUCCESS(i % 2 ? MPI_Win_flush_local(right, win) : MPI_Win_flush_local_all(win));
        value = -1;
    }
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i) {
        MPI_Get(&value, 1, MPI_INT, rank, i, 1, MPI_INT, win);
        MPI_Win_flush_local(rank, win);
        CHECK_EQUAL(value, left_neighbour() * 1000 + i);
    }
    MPI_Win_unlock_all(win);
    free_window(&win);
    return finish();
}

// MPI 5.0 section 12.7.2: "The default ordering is strict ordering, which guarantees that
// overlapping updates from the same origin to a remote location are committed in program order and
// that reads (e.g., with MPI_GET_ACCUMULATE) and writes (e.g., with MPI_ACCUMULATE) are executed
// and committed in program order."
// ranks: 1 2 5
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, right = right_neighbour();
    MPI_Win win = int_window(4, 0, &memory);
    MPI_Win_lock_all(0, win);
    for (int i = 1; i < 100; ++i) {
        int values[4] = {i, i, i, i}, read[4], two = 2, later = -i;
        MPI_Accumulate(values, 4, MPI_INT, right, 0, 4, MPI_INT, MPI_REPLACE, win); // write
        MPI_Accumulate(&two, 1, MPI_INT, right, 1, 1, MPI_INT, MPI_PROD, win);      // after write
        MPI_Get_accumulate(NULL, 0, MPI_INT, read, 4, MPI_INT, right, 0, 4, MPI_INT, MPI_NO_OP,
                           win);
        MPI_Accumulate(&later, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_REPLACE, win); // after read
        MPI_Win_flush(right, win);
        CHECK_EQUAL(read[0], i);
        CHECK_EQUAL(read[1], 2 * i);
        CHECK_EQUAL(read[2], i);
        CHECK_SUCCESS(MPI_Fetch_and_op(NULL, read, MPI_INT, right, 2, MPI_NO_OP, win));
        MPI_Win_flush(right, win);
        CHECK_EQUAL(read[0], -i);
    }
    MPI_Win_unlock_all(win);
    free_window(&win);
    return finish();
}

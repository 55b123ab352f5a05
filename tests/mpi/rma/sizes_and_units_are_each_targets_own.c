// MPI 5.0 section 12.2.1: "The displacement unit argument is provided to facilitate address
// arithmetic in RMA operations: the target displacement argument of an RMA operation is scaled by
// the factor disp_unit specified by the target process, at window creation." "The various MPI
// processes in the group of comm may specify completely different target windows, in location,
// size, displacement units, and info arguments."
// ranks: 1 2 6
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    char memory[64 * 8];
    memset(memory, 0, sizeof memory);
    MPI_Win win;
    MPI_Win_create(memory, 64 * (rank + 1), rank + 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    for (int target = 0; target < size; ++target) {
        char c = (char)('a' + rank);
        CHECK_SUCCESS(MPI_Put(&c, 1, MPI_CHAR, target, 10 + rank, 1, MPI_CHAR, win));
        CHECK_SUCCESS(
            MPI_Put(&c, 0, MPI_CHAR, target, 64, 0, MPI_CHAR, win)); // nothing, at the end
        CHECK_ERROR(MPI_Put(&c, 1, MPI_CHAR, target, 64, 1, MPI_CHAR, win), MPI_ERR_RMA_RANGE);
    }
    MPI_Win_fence(0, win);
    for (int origin = 0; origin < size; ++origin)
        CHECK_EQUAL(memory[(10 + origin) * (rank + 1)], 'a' + origin);
    MPI_Win_free(&win);
    return finish();
}

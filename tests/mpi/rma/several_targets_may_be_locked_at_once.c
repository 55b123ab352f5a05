// MPI 5.0 section 12.5.3: "Multiple RMA access epochs (with calls to MPI_WIN_LOCK) can occur
// simultaneously; however, each access epoch must target a different MPI process."
// ranks: 1 4
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory;
    MPI_Win win = int_window(size, -1, &memory);
    // In the order of ranks, so that nobody waits for each other.
    for (int target = 0; target < size; ++target)
        CHECK_SUCCESS(
            MPI_Win_lock(target % 2 ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, target, 0, win));
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);
    for (int target = 0; target < size; ++target)
        CHECK_SUCCESS(MPI_Put(&rank, 1, MPI_INT, target, rank, 1, MPI_INT, win));
    for (int target = size - 1; target >= 0; --target) {
        CHECK_SUCCESS(MPI_Win_unlock(target, win));
        CHECK_ERROR(MPI_Put(&rank, 1, MPI_INT, target, rank, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int origin = 0; origin < size; ++origin)
        CHECK_EQUAL(memory[origin], origin);
    free_window(&win);
    return finish();
}

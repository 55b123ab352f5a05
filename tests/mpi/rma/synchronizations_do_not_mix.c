// MPI 5.0 section 12.5: "Distinct access epochs for win at the same MPI process must be disjoint."
// "Distinct exposure epochs at an MPI process on the same window must be disjoint". Section 12.5.3:
// "It is erroneous to have a window locked and exposed (in an exposure epoch) concurrently."
// ranks: 1 3
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, value = 1;
    MPI_Win win = int_window(1, 0, &memory);
    MPI_Group self = group_of(1, &rank);
    // During MPI_Win_lock_all
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ERROR(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_post(self, 0, win), MPI_ERR_RMA_CONFLICT);
    CHECK_ERROR(MPI_Win_unlock(rank, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    // During MPI_Win_lock
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_post(self, 0, win), MPI_ERR_RMA_CONFLICT);
    CHECK_ERROR(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    // During an exposure epoch, then an access epoch of a group
    CHECK_SUCCESS(MPI_Win_post(self, 0, win));
    MPI_Barrier(MPI_COMM_WORLD); // or a wrong MPI_Win_lock_all may be in the way
    CHECK_ERROR(MPI_Win_post(self, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win), MPI_ERR_RMA_CONFLICT);
    CHECK_ERROR(MPI_Win_lock_all(0, win), MPI_ERR_RMA_CONFLICT);
    CHECK_ERROR(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_free(&win), MPI_ERR_RMA_SYNC);
    CHECK_SUCCESS(MPI_Win_start(self, 0, win));
    CHECK_ERROR(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
    CHECK_SUCCESS(MPI_Win_complete(win));
    CHECK_SUCCESS(MPI_Win_wait(win));
    MPI_Barrier(MPI_COMM_WORLD);
    // After a fence another epoch may begin, but not after an operation.
    MPI_Win_fence(0, win);
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    CHECK_SUCCESS(MPI_Win_unlock(rank, win));
    CHECK_SUCCESS(MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, win));
    CHECK_ERROR(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_start(self, 0, win), MPI_ERR_RMA_SYNC);
    CHECK_ERROR(MPI_Win_post(self, 0, win), MPI_ERR_RMA_SYNC);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win));
    CHECK_SUCCESS(MPI_Win_unlock(rank, win));
    MPI_Group_free(&self);
    free_window(&win);
    return finish();
}

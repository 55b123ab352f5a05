// MPI 5.0 section 12.3.1: "Furthermore, the target buffer must fit in the target window or in
// attached memory in a dynamic window." Section 12.6.2: MPI_ERR_RMA_RANGE: "target memory is not
// part of the window (in the case of a window created with MPI_WIN_CREATE_DYNAMIC, target memory is
// not attached)".
// ranks: 1 2
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, data[16] = {0}, target = right_neighbour();
    MPI_Win win = int_window(10, 3, &memory);
    MPI_Win_lock_all(0, win);
    MPI_Aint far[] = {10, 11, 1 << 30, (MPI_Aint)1 << 61, INT64_MAX};
    for (int i = 0; i < 5; ++i) {
        CHECK_ERROR(MPI_Put(data, 1, MPI_INT, target, far[i], 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
        CHECK_ERROR(MPI_Get(data, 1, MPI_INT, target, far[i], 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
        CHECK_ERROR(MPI_Accumulate(data, 1, MPI_INT, target, far[i], 1, MPI_INT, MPI_SUM, win),
                    MPI_ERR_RMA_RANGE);
        CHECK_ERROR(MPI_Fetch_and_op(data, data + 1, MPI_INT, target, far[i], MPI_SUM, win),
                    MPI_ERR_RMA_RANGE);
        CHECK_ERROR(MPI_Compare_and_swap(data, data + 1, data + 2, MPI_INT, target, far[i], win),
                    MPI_ERR_RMA_RANGE);
    }
    CHECK_ERROR(MPI_Put(data, 11, MPI_INT, target, 0, 11, MPI_INT, win), MPI_ERR_RMA_RANGE);
    CHECK_ERROR(MPI_Put(data, 2, MPI_INT, target, 9, 2, MPI_INT, win), MPI_ERR_RMA_RANGE);
    CHECK_ERROR(MPI_Put_c(data, 1, MPI_INT, target, 0, (MPI_Count)1 << 62, MPI_INT, win),
                MPI_ERR_RMA_RANGE);
    // A vector whose last block sticks out, and one that just fits.
    MPI_Datatype vector;
    MPI_Type_vector(3, 1, 4, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    CHECK_ERROR(MPI_Put(data, 3, MPI_INT, target, 2, 1, vector, win), MPI_ERR_RMA_RANGE);
    CHECK_SUCCESS(MPI_Put(data, 3, MPI_INT, target, 1, 1, vector, win));
    MPI_Type_free(&vector);
    MPI_Win_flush(target, win);
    CHECK_SUCCESS(MPI_Put(data, 10, MPI_INT, target, 0, 10, MPI_INT, win));
    CHECK_SUCCESS(MPI_Put(data, 0, MPI_INT, target, 10, 0, MPI_INT, win));
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 10; ++i)
        CHECK_EQUAL(memory[i], 0);
    free_window(&win);
    return finish();
}

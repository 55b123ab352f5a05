// MPI 5.0 section 12.2.4: "The memory region specified must not contain any part that is already
// attached to the window win, that is, attaching overlapping memory concurrently within the same
// window is erroneous. The argument win must be a window that was created with
// MPI_WIN_CREATE_DYNAMIC."
// ranks: 1 2
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    static char memory[300];
    int *other;
    MPI_Win win, fixed = int_window(1, 0, &other);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Win_attach(win, memory + 100, 100));
    CHECK_ERROR(MPI_Win_attach(win, memory + 100, 100), MPI_ERR_RMA_ATTACH);
    CHECK_ERROR(MPI_Win_attach(win, memory + 199, 50), MPI_ERR_RMA_ATTACH);
    CHECK_ERROR(MPI_Win_attach(win, memory, 101), MPI_ERR_RMA_ATTACH);
    CHECK_ERROR(MPI_Win_attach(win, memory, 300), MPI_ERR_RMA_ATTACH);
    CHECK_ERROR(MPI_Win_attach(win, memory + 120, 10), MPI_ERR_RMA_ATTACH);
    CHECK_SUCCESS(MPI_Win_attach(win, memory, 100)); // they touch
    CHECK_SUCCESS(MPI_Win_attach(win, memory + 200, 100));
    CHECK_SUCCESS(MPI_Win_attach(win, memory + 150, 0)); // nothing
    CHECK_ERROR(MPI_Win_attach(win, memory, -1), MPI_ERR_SIZE);
    CHECK_ERROR(MPI_Win_attach(win, NULL, 1), MPI_ERR_BASE);
    // Three regions that touch are accessed as one.
    MPI_Aint place;
    char data[300];
    memset(data, 'x', sizeof data);
    MPI_Get_address(memory, &place);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    CHECK_SUCCESS(MPI_Put(data, 300, MPI_CHAR, rank, place, 300, MPI_CHAR, win));
    CHECK_ERROR(MPI_Put(data, 300, MPI_CHAR, rank, place + 1, 300, MPI_CHAR, win),
                MPI_ERR_RMA_RANGE);
    CHECK_ERROR(MPI_Put(data, 1, MPI_CHAR, rank, place - 1, 1, MPI_CHAR, win), MPI_ERR_RMA_RANGE);
    MPI_Win_unlock(rank, win);
    CHECK_EQUAL(memory[299], 'x');
    CHECK_SUCCESS(MPI_Win_detach(win, memory + 150));
    CHECK_SUCCESS(MPI_Win_detach(win, memory + 100));
    CHECK_ERROR(MPI_Win_detach(win, memory + 100), MPI_ERR_BASE);
    CHECK_ERROR(MPI_Win_detach(win, memory + 1), MPI_ERR_BASE);
    CHECK_ERROR(MPI_Win_attach(fixed, memory, 10), MPI_ERR_RMA_FLAVOR);
    CHECK_ERROR(MPI_Win_detach(fixed, memory), MPI_ERR_RMA_FLAVOR);
    MPI_Aint bytes;
    int unit;
    void *base;
    CHECK_ERROR(MPI_Win_shared_query(win, 0, &bytes, &unit, &base), MPI_ERR_RMA_FLAVOR);
    MPI_Win_free(&win);
    free_window(&fixed);
    return finish();
}

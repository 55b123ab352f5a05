// MPI 5.0 section 12.5.3: "Accesses that are protected by an exclusive lock (acquired using
// MPI_LOCK_EXCLUSIVE) will not be concurrent at the window site with other accesses to the same
// window that are lock protected."
// ranks: 1 2 8
#include "windows.h"

// Read, wait, write: an increment is lost if two ranks are inside.
int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { increments = 50 };

    int *memory, value, inside;
    MPI_Win win = int_window(2, 0, &memory);
    for (int i = 0; i < increments; ++i) {
        int target = (rank + i) % size;
        CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
        MPI_Get(&inside, 1, MPI_INT, target, 1, 1, MPI_INT, win);
        MPI_Get(&value, 1, MPI_INT, target, 0, 1, MPI_INT, win);
        MPI_Win_flush(target, win);
        CHECK_EQUAL(inside, 0);
        inside = 1;
        MPI_Put(&inside, 1, MPI_INT, target, 1, 1, MPI_INT, win);
        MPI_Win_flush(target, win);
        if (i % 10 == 0)
            rest();
        ++value;
        inside = 0;
        MPI_Put(&value, 1, MPI_INT, target, 0, 1, MPI_INT, win);
        MPI_Put(&inside, 1, MPI_INT, target, 1, 1, MPI_INT, win);
        CHECK_SUCCESS(MPI_Win_unlock(target, win));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    int all = 0;
    MPI_Allreduce(&memory[0], &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(all, increments * size);
    free_window(&win);
    return finish();
}

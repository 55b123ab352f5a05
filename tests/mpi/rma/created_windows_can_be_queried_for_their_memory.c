// MPI 5.0 section 12.2.3: MPI_WIN_SHARED_QUERY "queries the MPI process-local address for remote
// memory segments created with MPI_WIN_ALLOCATE_SHARED, MPI_WIN_ALLOCATE, and MPI_WIN_CREATE."
// ranks: 1 3
#include "windows.h"

static void look_at(MPI_Win win, int from) {
    int *base, unit;
    MPI_Aint bytes, wide_unit;
    MPI_Win_fence(0, win);
    for (int r = 0; r < size; ++r) {
        CHECK_SUCCESS(MPI_Win_shared_query(win, r, &bytes, &unit, &base));
        CHECK_EQUAL(bytes, (r + 1) * (MPI_Aint)sizeof(int));
        CHECK_EQUAL(unit, sizeof(int));
        CHECK_EQUAL(base[r], from + r);
        CHECK_SUCCESS(MPI_Win_shared_query_c(win, r, &bytes, &wide_unit, &base));
        CHECK_EQUAL(wide_unit, sizeof(int));
    }
    MPI_Win_fence(0, win);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    static int global[64];
    int *memory, *base, unit;
    MPI_Aint bytes;
    MPI_Win win;
    global[rank] = 40 + rank;
    MPI_Win_create(global, (rank + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    look_at(win, 40);
    MPI_Win_free(&win);
    MPI_Win_allocate((rank + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    memory[rank] = 70 + rank;
    look_at(win, 70);
    MPI_Win_free(&win);
    // "If all MPI processes in the group attached to the window specified size = 0, then the call
    // returns size = 0".
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    CHECK_SUCCESS(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &base));
    CHECK_EQUAL(bytes, 0);
    MPI_Win_free(&win);
    return finish();
}

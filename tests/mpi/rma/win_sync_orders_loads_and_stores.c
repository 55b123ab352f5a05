// MPI 5.0 section 12.5.4: "In the unified memory model, MPI_WIN_SYNC may be used to order load and
// store accesses to shared memory and to ensure visibility of store updates in shared memory for
// other threads and MPI processes."
// ranks: 2 4
#include "windows.h"

// The example of section 12.8: stores, MPI_Win_sync, a message, MPI_Win_sync, loads.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int *mine, *first;
    MPI_Aint bytes;
    int unit, token = 0;
    MPI_Win win;
    MPI_Win_allocate_shared(rank == 0 ? 64 * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL,
                            MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
    CHECK_EQUAL(bytes, 64 * sizeof(int));
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int round = 1; round < 50; ++round) {
        if (rank == 0) {
            for (int i = 0; i < 64; ++i)
                first[i] = round * i;
            CHECK_SUCCESS(MPI_Win_sync(win));
            for (int r = 1; r < size; ++r)
                MPI_Send(&token, 1, MPI_INT, r, 0, MPI_COMM_WORLD);
            for (int r = 1; r < size; ++r)
                MPI_Recv(&token, 1, MPI_INT, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_SUCCESS(MPI_Win_sync(win));
        } else {
            MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_SUCCESS(MPI_Win_sync(win));
            for (int i = 0; i < 64; ++i)
                CHECK_EQUAL(first[i], round * i);
            CHECK_SUCCESS(MPI_Win_sync(win));
            MPI_Send(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    return finish();
}

// MPI 5.0 section 12.2.3: "When rank is MPI_PROC_NULL, the baseptr, disp_unit, and size returned
// are the base, displacement unit, and size of the memory segment belonging to the MPI process with
// the lowest rank in the shared memory domain that specified size > 0." and "When the remote memory
// segment corresponding to a particular MPI process cannot be accessed directly, this call returns
// size = 0".
// ranks: 1 2 5
#include "windows.h"

// Ranks below `first` have no memory. All ranks are on one machine: one shared memory domain.
static void ask(MPI_Win win, const char *mine, int first, int always) {
    MPI_Aint bytes;
    int unit;
    char *base;
    MPI_Win_fence(0, win);
    CHECK_SUCCESS(MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &base));
    if (always || rank == first)
        CHECK(bytes > 0);
    if (bytes > 0) {
        CHECK_EQUAL(bytes, 10 + first);
        CHECK_EQUAL(unit, 1 + first);
        CHECK_EQUAL(base[first], 'a' + first);
        CHECK(rank != first || base == mine);
    }
    MPI_Win_fence(0, win);
}

int main(int argc, char **argv) {
    static char global[64];
    char *memory;
    MPI_Win win;
    start(&argc, &argv);
    for (int first = 0; first < size; ++first) {
        const MPI_Aint bytes = rank < first ? 0 : 10 + rank;
        global[rank] = (char)('a' + rank);
        CHECK_SUCCESS(MPI_Win_create(global, bytes, 1 + rank, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
        ask(win, global, first, 0);
        free_window(&win);
        CHECK_SUCCESS(
            MPI_Win_allocate_shared(bytes, 1 + rank, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win));
        if (bytes > 0)
            memory[rank] = (char)('a' + rank);
        ask(win, memory, first, 1);
        free_window(&win);
    }
    return finish();
}

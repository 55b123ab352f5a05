// MPI 5.0 section 12.8: "Implementing a critical region between two MPI processes (Peterson's
// algorithm). Despite their appearance in the following example, MPI_WIN_LOCK_ALL and
// MPI_WIN_UNLOCK_ALL are not collective calls, but it is frequently useful to open shared access
// epochs to all MPI processes from all other MPI processes in a window."
// ranks: 2
#include "windows.h"

static MPI_Win win;

enum { interested_0, interested_1, turn, counter, places };

static void set(int place, int value) {
    MPI_Accumulate(&value, 1, MPI_INT, 0, place, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
}

static int get(int place) {
    int value;
    MPI_Get_accumulate(NULL, 0, MPI_INT, &value, 1, MPI_INT, 0, place, 1, MPI_INT, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    return value;
}

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { rounds = 300 };

    int *memory, other = 1 - rank;
    win = int_window(places, 0, &memory);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < rounds; ++i) {
        set(rank, 1);
        set(turn, other);
        while (get(other) && get(turn) == other)
            continue;
        int value = get(counter);
        if (i % 50 == 0)
            rest();
        set(counter, value + 1);
        set(rank, 0);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK_EQUAL(memory[counter], 2 * rounds);
    free_window(&win);
    return finish();
}

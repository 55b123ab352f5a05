// MPI 5.0 section 12.5: "RMA does not define fine-grained mutexes in memory (only logical
// coarse-grained window locks). MPI provides the primitives (compare and swap, accumulate,
// send/receive, etc.) needed to implement high-level synchronization operations."
// ranks: 1 2 8
#include "windows.h"

// The lock of Mellor-Crummey and Scott: a tail at rank 0; each rank has a flag and a successor.
enum { blocked_at, next_at, tail_at, counter_at, places };

static MPI_Win win;

static int atomically(int target, int place, int value, MPI_Op op) {
    int old;
    CHECK_SUCCESS(MPI_Fetch_and_op(&value, &old, MPI_INT, target, place, op, win));
    MPI_Win_flush(target, win);
    return old;
}

static void lock_mutex(void) {
    atomically(rank, next_at, -1, MPI_REPLACE);
    atomically(rank, blocked_at, 1, MPI_REPLACE);
    int before = atomically(0, tail_at, rank, MPI_REPLACE);
    if (before < 0)
        return;
    atomically(before, next_at, rank, MPI_REPLACE);
    while (atomically(rank, blocked_at, 0, MPI_NO_OP))
        continue;
}

static void unlock_mutex(void) {
    int next = atomically(rank, next_at, 0, MPI_NO_OP), none = -1, tail;
    if (next < 0) {
        MPI_Compare_and_swap(&none, &rank, &tail, MPI_INT, 0, tail_at, win);
        MPI_Win_flush(0, win);
        if (tail == rank)
            return;
        while ((next = atomically(rank, next_at, 0, MPI_NO_OP)) < 0)
            continue;
    }
    atomically(next, blocked_at, 0, MPI_REPLACE);
}

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { rounds = 50 };

    int *memory, value;
    win = int_window(places, -1, &memory);
    memory[counter_at] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < rounds; ++i) {
        lock_mutex();
        MPI_Get(&value, 1, MPI_INT, 0, counter_at, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        if (i % 16 == 0)
            rest();
        ++value;
        MPI_Put(&value, 1, MPI_INT, 0, counter_at, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        unlock_mutex();
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK_EQUAL(memory[counter_at], rounds * size);
    free_window(&win);
    return finish();
}

// Ranks take shared and exclusive locks of random targets, and MPI_Win_lock_all. Who holds an
// exclusive lock changes two values there; nobody else ever sees them differ, and no change is
// lost. THRUM_TEST_SEED gives another seed. MPI 5.0 section 12.5.3: "Accesses that are protected by
// an exclusive lock (acquired using MPI_LOCK_EXCLUSIVE) will not be concurrent at the window site
// with other accesses to the same window that are lock protected."
// ranks: 4
#include "check.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

enum { rounds = 3000 };

static int rank, size;
static MPI_Win win;

static void increment(int target) {
    long value;
    CHECK_SUCCESS(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, win));
    MPI_Get(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, win);
    MPI_Win_flush(target, win);
    ++value;
    MPI_Put(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, win);
    MPI_Put(&value, 1, MPI_LONG, target, 1, 1, MPI_LONG, win);
    CHECK_SUCCESS(MPI_Win_unlock(target, win));
}

static void look(int target, int at_all) {
    long values[2] = {-1, -2};
    CHECK_SUCCESS(at_all ? MPI_Win_lock_all(0, win)
                         : MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win));
    MPI_Get(values, 2, MPI_LONG, target, 0, 2, MPI_LONG, win);
    CHECK_SUCCESS(at_all ? MPI_Win_unlock_all(win) : MPI_Win_unlock(target, win));
    CHECK_EQUAL(values[0], values[1]);
}

int main(int argc, char **argv) {
    long *memory, made = 0, all_made, found, all_found;
    const char *given = getenv("THRUM_TEST_SEED");
    unsigned seed = given ? (unsigned)atoi(given) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("seed %u\n", seed);
    seed = seed * 7919 + (unsigned)rank;
    MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < rounds; ++i) {
        const int target = rand_r(&seed) % size, what = rand_r(&seed) % 8;
        if (what < 4) {
            increment(target);
            ++made;
        } else {
            look(target, what == 7);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    found = memory[0];
    MPI_Allreduce(&made, &all_made, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&found, &all_found, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(all_found, all_made);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

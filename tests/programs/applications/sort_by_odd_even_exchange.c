// Odd-even transposition sort of blocks: in turn, even and odd neighbours swap (MPI_Isendrecv) and
// keep the lower or the upper half. After as many phases as there are ranks everything is in order.
// ranks: 1 4 15 64
#include "world.h"

enum { kKeys = 50 };

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int keys[2 * kKeys], all_count = size * kKeys;
    // A permutation of 0 .. all_count - 1: 2 * all_count + 1 has no factor in common with it.
    for (int i = 0; i < kKeys; ++i)
        keys[i] = (int)(((long)(rank * kKeys + i) * (2L * all_count - 1) + 17) % all_count);
    qsort(keys, kKeys, sizeof *keys, compare);
    for (int phase = 0; phase < size; ++phase) {
        int partner = (rank + phase) % 2 ? rank - 1 : rank + 1;
        if (partner < 0 || partner >= size)
            continue;
        MPI_Request request;
        CHECK_SUCCESS(MPI_Isendrecv(keys, kKeys, MPI_INT, partner, phase, keys + kKeys, kKeys,
                                    MPI_INT, partner, phase, MPI_COMM_WORLD, &request));
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        qsort(keys, 2 * kKeys, sizeof *keys, compare);
        if (partner < rank)
            memmove(keys, keys + kKeys, kKeys * sizeof *keys);
    }
    for (int i = 0; i < kKeys; ++i)
        CHECK_EQUAL(keys[i], rank * kKeys + i);
    return finish();
}

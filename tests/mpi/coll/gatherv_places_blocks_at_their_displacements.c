// MPI 5.0 section 6.5: "The data received from MPI process j is placed into recvbuf of the root
// beginning at offset displs[j] elements (in terms of the recvtype)."
// ranks: 1 2 5 17
#include "world.h"

// Rank j sends j % 4 numbers (also none); the root lays the blocks out backwards with gaps.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int *counts = malloc(sizeof(int) * (size_t)size), *places = malloc(sizeof(int) * (size_t)size);
    int *all = malloc(sizeof(int) * 5 * (size_t)size), mine[4];
    for (int j = 0; j < size; ++j) {
        counts[j] = j % 4;
        places[j] = 5 * (size - 1 - j) + 1;
    }
    for (int root = 0; root < size; ++root) {
        for (int i = 0; i < 4; ++i)
            mine[i] = 100 * rank + i + root;
        memset(all, 0xff, sizeof(int) * 5 * (size_t)size);
        int at_root = rank == root;
        MPI_Gatherv(mine, rank % 4, MPI_INT, at_root ? all : NULL, at_root ? counts : NULL,
                    at_root ? places : NULL, MPI_INT, root, MPI_COMM_WORLD);
        for (int j = 0; j < size && at_root; ++j)
            for (int i = -1; i < 4; ++i)
                CHECK_EQUAL(all[places[j] + i], i >= 0 && i < counts[j] ? 100 * j + i + root : -1);
    }
    free(counts);
    free(places);
    free(all);
    return finish();
}

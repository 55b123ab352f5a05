// MPI 5.0 section 6.5: "each MPI process (the root included) sends the contents of its send buffer
// to the root. The root receives the messages and stores them in rank order."
// ranks: 1 2 5 17
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    static const int counts[] = {0, 1, 5, 3000};
    int *mine = malloc(sizeof(int) * 3000), *all = malloc(sizeof(int) * 3000 * (size_t)size);
    for (int root = 0; root < size; ++root)
        for (int c = 0; c < 4; ++c) {
            int count = counts[c];
            for (int i = 0; i < count; ++i)
                mine[i] = rank * 10000 + i;
            memset(all, 0xff, sizeof(int) * 3000 * (size_t)size);
            MPI_Gather(mine, count, MPI_INT, all, count, MPI_INT, root, MPI_COMM_WORLD);
            for (int i = 0; i < 3000 * size; ++i)
                CHECK_EQUAL(all[i],
                            rank == root && i < count * size ? i / count * 10000 + i % count : -1);
        }
    free(mine);
    free(all);
    return finish();
}

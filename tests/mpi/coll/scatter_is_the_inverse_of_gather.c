// MPI 5.0 section 6.6: "MPI_SCATTER is the inverse operation to MPI_GATHER."
// ranks: 1 2 5 17
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    static const int counts[] = {0, 1, 5, 3000};
    int *mine = malloc(sizeof(int) * 3001), *all = malloc(sizeof(int) * 3000 * (size_t)size);
    for (int root = 0; root < size; ++root)
        for (int c = 0; c < 4; ++c) {
            int count = counts[c];
            for (int i = 0; i < 3000 * size; ++i)
                all[i] = rank == root ? 7 * i + root : -1;
            memset(mine, 0xff, sizeof(int) * 3001);
            MPI_Scatter(all, count, MPI_INT, mine, count, MPI_INT, root, MPI_COMM_WORLD);
            for (int i = 0; i < 3001; ++i)
                CHECK_EQUAL(mine[i], i < count ? 7 * (rank * count + i) + root : -1);
            // In place, the root's own block stays where it is.
            memset(mine, 0xff, sizeof(int) * 3001);
            MPI_Scatter(all, count, MPI_INT, rank == root ? MPI_IN_PLACE : mine, count, MPI_INT,
                        root, MPI_COMM_WORLD);
            for (int i = 0; i < 3001; ++i)
                CHECK_EQUAL(mine[i],
                            i < count && rank != root ? 7 * (rank * count + i) + root : -1);
        }
    free(mine);
    free(all);
    return finish();
}

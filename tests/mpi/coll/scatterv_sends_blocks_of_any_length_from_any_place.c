// MPI 5.0 section 6.6: "MPI_SCATTERV ... extends the functionality of MPI_SCATTER by allowing a
// varying count of data to be sent to each MPI process, since sendcounts is now an array."
// ranks: 1 2 5 17
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *counts = malloc(sizeof(int) * (size_t)size), *places = malloc(sizeof(int) * (size_t)size);
    int *all = malloc(sizeof(int) * 5 * (size_t)size), mine[5];
    for (int j = 0; j < size; ++j) {
        counts[j] = (j + 3) % 5;
        places[j] = 5 * (size - 1 - j);
    }
    for (int root = 0; root < size; ++root)
        for (int in_place = 0; in_place < 2; ++in_place) {
            for (int i = 0; i < 5 * size; ++i)
                all[i] = rank == root ? i * 3 + root : -1;
            memset(mine, 0xff, sizeof mine);
            void *receive = in_place && rank == root ? MPI_IN_PLACE : mine;
            MPI_Scatterv(all, counts, places, MPI_INT, receive, counts[rank], MPI_INT, root,
                         MPI_COMM_WORLD);
            for (int i = 0; i < 5; ++i)
                CHECK_EQUAL(mine[i], receive == mine && i < counts[rank]
                                         ? (places[rank] + i) * 3 + root
                                         : -1);
        }
    free(counts);
    free(places);
    free(all);
    return finish();
}

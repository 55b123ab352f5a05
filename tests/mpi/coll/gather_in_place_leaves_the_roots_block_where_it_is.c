// MPI 5.0 section 6.5: "the contribution of the root to the gathered vector is assumed to be
// already in the correct place in the receive buffer" (MPI_IN_PLACE as sendbuf at the root).
// ranks: 1 2 5 17
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *all = malloc(sizeof(int) * 3 * (size_t)size);
    int *counts = malloc(sizeof(int) * (size_t)size), *places = malloc(sizeof(int) * (size_t)size);
    for (int j = 0; j < size; ++j) {
        counts[j] = 2;
        places[j] = 3 * (size - 1 - j);
    }
    for (int root = 0; root < size; ++root)
        for (int with_v = 0; with_v < 2; ++with_v) {
            int mine[2] = {rank + 1, rank * rank + root};
            const void *send = rank == root ? MPI_IN_PLACE : mine;
            memset(all, 0xff, sizeof(int) * 3 * (size_t)size);
            memcpy(all + (with_v ? places[rank] : 2 * rank), mine, sizeof mine);
            if (with_v)
                MPI_Gatherv(send, 2, MPI_INT, all, counts, places, MPI_INT, root, MPI_COMM_WORLD);
            else
                MPI_Gather(send, 2, MPI_INT, all, 2, MPI_INT, root, MPI_COMM_WORLD);
            for (int j = 0; j < size && rank == root; ++j) {
                int *block = all + (with_v ? places[j] : 2 * j);
                CHECK_EQUAL(block[0], j + 1);
                CHECK_EQUAL(block[1], j * j + root);
            }
        }
    free(all);
    free(counts);
    free(places);
    return finish();
}

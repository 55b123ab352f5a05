// MPI 5.0 section 6.10.2: "the resulting vector is treated as n consecutive blocks where the number
// of elements of the i-th block is recvcounts[i]. ... The i-th block is sent to MPI process i".
// ranks: 1 2 5 16
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    static const int units[] = {1, 500};
    for (int u = 0; u < 2; ++u) {
        int *counts = malloc(sizeof(int) * (size_t)size), total = 0, before = 0;
        for (int j = 0; j < size; ++j) {
            counts[j] = j % 3 * units[u]; // rank 0 receives nothing
            before += j < rank ? counts[j] : 0;
            total += counts[j];
        }
        long *send = malloc(sizeof(long) * (size_t)(total + 1));
        long *receive = malloc(sizeof(long) * (size_t)(total + 1));
        for (int in_place = 0; in_place < 2; ++in_place) {
            for (int i = 0; i < total; ++i)
                (in_place ? receive : send)[i] = (long)(rank + 1) * (i + 1);
            MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : send, receive, counts, MPI_LONG, MPI_SUM,
                               MPI_COMM_WORLD);
            for (int i = 0; i < counts[rank]; ++i)
                CHECK_EQUAL(receive[i], (long)size * (size + 1) / 2 * (before + i + 1));
        }
        free(counts);
        free(send);
        free(receive);
    }
    int *block = malloc(sizeof(int) * 3 * (size_t)size);
    for (int i = 0; i < 3 * size; ++i)
        block[i] = rank + i;
    MPI_Reduce_scatter_block(MPI_IN_PLACE, block, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < 3; ++i)
        CHECK_EQUAL(block[i], size - 1 + 3 * rank + i);
    free(block);
    return finish();
}

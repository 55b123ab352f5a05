// MPI 5.0 section 6.7: "The block of data sent from the j-th MPI process is received by every MPI
// process and placed in the j-th block of the buffer recvbuf. These blocks need not all be the same
// size."
// ranks: 1 2 3 8 33
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *counts = malloc(sizeof(int) * (size_t)size), *places = malloc(sizeof(int) * (size_t)size);
    short *all = malloc(sizeof(short) * 100 * (size_t)size), mine[100];
    for (int unit = 1; unit <= 33; unit += 32)
        for (int in_place = 0; in_place < 2; ++in_place) {
            for (int j = 0; j < size; ++j) {
                counts[j] = j % 3 * unit; // none, one or two units
                places[j] = 100 * (size - 1 - j);
            }
            memset(all, 0xff, sizeof(short) * 100 * (size_t)size);
            short *place = in_place ? all + places[rank] : mine;
            for (int i = 0; i < counts[rank]; ++i)
                place[i] = (short)(100 * rank + i);
            MPI_Allgatherv(in_place ? MPI_IN_PLACE : mine, counts[rank], MPI_SHORT, all, counts,
                           places, MPI_SHORT, MPI_COMM_WORLD);
            for (int j = 0; j < size; ++j)
                for (int i = 0; i < 100; ++i)
                    CHECK_EQUAL(all[places[j] + i], i < counts[j] ? 100 * j + i : -1);
        }
    free(counts);
    free(places);
    free(all);
    return finish();
}

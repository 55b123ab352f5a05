// MPI 5.0 section 6.7: "The block of data sent from the j-th MPI process is received by every MPI
// process and placed in the j-th block of the buffer recvbuf."
// ranks: 1 2 3 8 33
#include "world.h"

static const int counts[] = {0, 1, 7, 2000};

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *all = malloc(sizeof(int) * 2000 * (size_t)size), *mine = malloc(sizeof(int) * 2000);
    for (int c = 0; c < 4; ++c)
        for (int in_place = 0; in_place < 2; ++in_place) {
            int count = counts[c];
            memset(all, 0xff, sizeof(int) * 2000 * (size_t)size);
            for (int i = 0; i < count; ++i)
                (in_place ? all + rank * count : mine)[i] = 5000 * rank + i;
            MPI_Allgather(in_place ? MPI_IN_PLACE : mine, count, MPI_INT, all, count, MPI_INT,
                          MPI_COMM_WORLD);
            for (int i = 0; i < size * count; ++i)
                CHECK_EQUAL(all[i], 5000 * (i / count) + i % count);
            if (count < 2000)
                CHECK_EQUAL(all[size * count], -1);
        }
    free(all);
    free(mine);
    return finish();
}

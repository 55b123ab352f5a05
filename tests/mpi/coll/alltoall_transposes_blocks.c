// MPI 5.0 section 6.8: "The j-th block sent from MPI process i is received by MPI process j and is
// placed in the i-th block of recvbuf."
// ranks: 1 2 3 8 21
#include "world.h"

static const int counts[] = {0, 1, 3, 1500};

int main(int argc, char **argv) {
    start(&argc, &argv);
    size_t bytes = sizeof(int) * 1500 * (size_t)size;
    int *send = malloc(bytes), *receive = malloc(bytes);
    for (int c = 0; c < 4; ++c)
        for (int in_place = 0; in_place < 2; ++in_place) {
            int count = counts[c];
            memset(receive, 0xff, bytes);
            for (int i = 0; i < size * count; ++i)
                (in_place ? receive : send)[i] = rank * 1000000 + i;
            MPI_Alltoall(in_place ? MPI_IN_PLACE : send, count, MPI_INT, receive, count, MPI_INT,
                         MPI_COMM_WORLD);
            for (int i = 0; i < size * count; ++i)
                CHECK_EQUAL(receive[i], i / count * 1000000 + rank * count + i % count);
            if (count < 1500)
                CHECK_EQUAL(receive[size * count], -1);
        }
    free(send);
    free(receive);
    return finish();
}

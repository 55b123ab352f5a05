// MPI 5.0 section 6.7: "If comm is an inter-communicator, then each MPI process of one group (group
// A) contributes sendcount data items; these data are concatenated and the result is stored at each
// MPI process in the other group (group B)." Section 6.8: block j goes to process j of the other
// one.
// ranks: 2 5 16
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    int other = groups.remote_size, offset = groups.remote_offset;
    int *counts = calloc((size_t)other, sizeof(int)), *places = calloc((size_t)other, sizeof(int));
    int *send = calloc(3 * (size_t)other, sizeof(int)),
        *receive = calloc(3 * (size_t)other, sizeof(int));
    MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * (size_t)other);
    for (int j = 0; j < other; ++j) {
        counts[j] = (offset + j) % 3;
        places[j] = 3 * j;
        types[j] = MPI_INT;
    }
    int mine[2] = {rank, rank + 1000};
    memset(receive, 0xff, sizeof(int) * 3 * (size_t)other);
    MPI_Allgatherv(mine, rank % 3, MPI_INT, receive, counts, places, MPI_INT, groups.inter);
    for (int j = 0; j < other; ++j)
        for (int i = 0; i < 3; ++i)
            CHECK_EQUAL(receive[3 * j + i], i < counts[j] ? offset + j + 1000 * i : -1);
    for (int j = 0; j < other; ++j) {
        send[j] = 100 * rank + j;
        receive[j] = -1;
    }
    MPI_Alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, groups.inter);
    for (int j = 0; j < other; ++j)
        CHECK_EQUAL(receive[j], 100 * (offset + j) + groups.local_rank);
    // i and j exchange (i + j) % 3 numbers.
    for (int with_w = 0; with_w < 2; ++with_w) {
        for (int j = 0; j < other; ++j) {
            counts[j] = (rank + offset + j) % 3;
            places[j] = (with_w ? 12 : 3) * j;
            for (int i = 0; i < 3; ++i)
                send[3 * j + i] = 1000 * rank + 10 * (offset + j) + i;
        }
        memset(receive, 0xff, sizeof(int) * 3 * (size_t)other);
        if (with_w)
            MPI_Alltoallw(send, counts, places, types, receive, counts, places, types,
                          groups.inter);
        else
            MPI_Alltoallv(send, counts, places, MPI_INT, receive, counts, places, MPI_INT,
                          groups.inter);
        for (int j = 0; j < other; ++j)
            for (int i = 0; i < 3; ++i)
                CHECK_EQUAL(receive[3 * j + i],
                            i < counts[j] ? 1000 * (offset + j) + 10 * rank + i : -1);
    }
    free(counts);
    free(places);
    free(send);
    free(receive);
    free(types);
    free_two_groups(&groups);
    return finish();
}

// MPI 5.0 section 6.8: "MPI_ALLTOALLV adds flexibility to MPI_ALLTOALL in that the location of data
// for the send is specified by sdispls and the location of the placement of the data on the receive
// side is specified by rdispls."
// ranks: 1 2 3 8 21
#include "world.h"

// Rank i sends rank j (i + 2 j) % 4 numbers.
static int amount(int i, int j) {
    return (i + 2 * j) % 4;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *arrays = calloc(4 * (size_t)size, sizeof(int)),
        *send = malloc(sizeof(int) * 4 * (size_t)size);
    int *send_counts = arrays, *receive_counts = arrays + size;
    int *send_places = arrays + 2 * size, *receive_places = arrays + 3 * size;
    int *receive = malloc(sizeof(int) * 4 * (size_t)size);
    for (int j = 0; j < size; ++j) {
        send_counts[j] = amount(rank, j);
        receive_counts[j] = amount(j, rank);
        send_places[j] = 4 * (size - 1 - j);
        receive_places[j] = 4 * ((j + 1) % size);
        for (int i = 0; i < 4; ++i)
            send[send_places[j] + i] = 10000 * rank + 10 * j + i;
    }
    memset(receive, 0xff, sizeof(int) * 4 * (size_t)size);
    MPI_Alltoallv(send, send_counts, send_places, MPI_INT, receive, receive_counts, receive_places,
                  MPI_INT, MPI_COMM_WORLD);
    for (int j = 0; j < size; ++j)
        for (int i = 0; i < 4; ++i)
            CHECK_EQUAL(receive[receive_places[j] + i],
                        i < receive_counts[j] ? 10000 * j + 10 * rank + i : -1);
    // In place the counts are symmetric; rank i and j exchange (i + j) % 4 numbers.
    for (int j = 0; j < size; ++j) {
        receive_counts[j] = (rank + j) % 4;
        for (int i = 0; i < 4; ++i)
            receive[receive_places[j] + i] = 10000 * rank + 10 * j + i;
    }
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, receive, receive_counts,
                  receive_places, MPI_INT, MPI_COMM_WORLD);
    for (int j = 0; j < size; ++j)
        for (int i = 0; i < 4; ++i)
            CHECK_EQUAL(receive[receive_places[j] + i], i < receive_counts[j]
                                                            ? 10000 * j + 10 * rank + i
                                                            : 10000 * rank + 10 * j + i);
    free(arrays);
    free(send);
    free(receive);
    return finish();
}

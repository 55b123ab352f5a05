// MPI 5.0 section 6.8: MPI_ALLTOALLW "allows separate specification of count, displacement and
// datatype. In addition, ... the displacement of blocks within the send and receive buffers is
// specified in bytes."
// ranks: 1 2 3 8 21
#include "world.h"

// Data from i to j have the type of (i + j) % 3; received numbers of kind 2 are strided.
int main(int argc, char **argv) {
    start(&argc, &argv);
    int *counts = malloc(sizeof(int) * (size_t)size), *places = malloc(sizeof(int) * (size_t)size);
    MPI_Datatype *send_types = malloc(sizeof(MPI_Datatype) * (size_t)size);
    MPI_Datatype *receive_types = malloc(sizeof(MPI_Datatype) * (size_t)size), strided;
    char *send = calloc((size_t)size, 32), *receive = malloc(32 * (size_t)size);
    MPI_Type_vector(2, 1, 3, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    memset(receive, 0xff, 32 * (size_t)size);
    for (int j = 0; j < size; ++j) {
        int kind = (rank + j) % 3, numbers[2] = {rank, j};
        double real = rank + 100.0 * j;
        memcpy(send + 32 * j, kind == 1 ? (void *)&real : (void *)numbers, 8);
        counts[j] = kind == 0 ? 0 : kind == 1 ? 1 : 2;
        places[j] = 32 * j;
        send_types[j] = receive_types[j] = kind == 1 ? MPI_DOUBLE : MPI_INT;
        if (kind == 2)
            receive_types[j] = strided;
    }
    int *receive_counts = malloc(sizeof(int) * (size_t)size);
    for (int j = 0; j < size; ++j)
        receive_counts[j] = counts[j] > 0;
    MPI_Alltoallw(send, counts, places, send_types, receive, receive_counts, places, receive_types,
                  MPI_COMM_WORLD);
    for (int j = 0; j < size; ++j) {
        int numbers[8], kind = (rank + j) % 3;
        double real;
        memcpy(numbers, receive + 32 * j, 32);
        memcpy(&real, receive + 32 * j, 8);
        if (kind == 1)
            CHECK(real == j + 100.0 * rank);
        else
            for (int i = 0; i < 8; ++i)
                CHECK_EQUAL(numbers[i], kind == 0 ? -1 : i == 0 ? j : i == 3 ? rank : -1);
    }
    MPI_Type_free(&strided);
    free(counts);
    free(receive_counts);
    free(places);
    free(send_types);
    free(receive_types);
    free(send);
    free(receive);
    return finish();
}

// MPI 5.0 section 2.5.8: procedures with the suffix _c take counts of type MPI_Count (and
// displacements of type MPI_Aint), here each of the blocking collective operations of chapter 6.
// ranks: 1 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Count *counts = malloc(sizeof(MPI_Count) * (size_t)size);
    MPI_Aint *places = malloc(sizeof(MPI_Aint) * (size_t)size), *bytes;
    MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * (size_t)size);
    int *all = malloc(sizeof(int) * (size_t)size), *send = malloc(sizeof(int) * (size_t)size);
    bytes = malloc(sizeof(MPI_Aint) * (size_t)size);
    int mine = rank, sum = size * (size - 1) / 2, value;
    for (int j = 0; j < size; ++j) {
        counts[j] = 1;
        places[j] = size - 1 - j;
        bytes[j] = 4 * places[j];
        types[j] = MPI_INT;
        send[j] = 100 * rank + j;
    }
    value = rank == 0 ? 9 : 0;
    MPI_Bcast_c(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_EQUAL(value, 9);
    MPI_Gather_c(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int j = 0; j < size && rank == 0; ++j)
        CHECK_EQUAL(all[j], j);
    MPI_Gatherv_c(&mine, 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    for (int j = 0; j < size && rank == 0; ++j)
        CHECK_EQUAL(all[j], size - 1 - j);
    MPI_Scatter_c(all, 1, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_EQUAL(value, size - 1 - rank);
    MPI_Scatterv_c(all, counts, places, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    CHECK_EQUAL(value, rank);
    MPI_Allgather_c(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK_EQUAL(all[size - 1], size - 1);
    MPI_Allgatherv_c(&mine, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    CHECK_EQUAL(all[0], size - 1);
    MPI_Alltoall_c(send, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK_EQUAL(all[size - 1], 100 * (size - 1) + rank);
    MPI_Alltoallv_c(send, counts, places, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    CHECK_EQUAL(all[0], 100 * (size - 1) + size - 1 - rank);
    MPI_Alltoallw_c(send, counts, bytes, types, all, counts, bytes, types, MPI_COMM_WORLD);
    CHECK_EQUAL(all[size - 1], size - 1 - rank);
    MPI_Reduce_c(&mine, &value, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    CHECK_EQUAL(value, rank == 0 ? sum : rank);
    MPI_Allreduce_c(&mine, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(value, sum);
    MPI_Reduce_scatter_c(send, &value, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(value, 100 * sum + size * rank);
    MPI_Reduce_scatter_block_c(send, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_EQUAL(value, 100 * (size - 1) + rank);
    MPI_Scan_c(&mine, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(value, rank * (rank + 1) / 2);
    MPI_Exscan_c(&mine, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(value, rank * (rank - 1) / 2);
    MPI_Reduce_local_c(&mine, &value, 1, MPI_INT, MPI_MAX);
    CHECK_EQUAL(value, rank * (rank - 1) / 2 > rank ? rank * (rank - 1) / 2 : rank);
    free(counts);
    free(places);
    free(bytes);
    free(types);
    free(all);
    free(send);
    return finish();
}

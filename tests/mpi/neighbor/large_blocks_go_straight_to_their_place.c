// MPI 5.0 section 8.6.1: "Distinct type maps between sender and receiver are still allowed.":
// blocks of any size, sent dense and received with gaps, or the reverse; the neighbours come late.
// ranks: 2 5
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[1] = {size}, periods[1] = {1};
    MPI_Comm ring = new_grid(1, dims, periods);
    for (int numbers = 1; numbers <= 1 << 17; numbers *= 8) {
        MPI_Datatype spread, strided;
        MPI_Type_vector(numbers, 1, 2, MPI_INT, &spread);
        MPI_Type_create_resized(spread, 0, (MPI_Aint)sizeof(int) * 2 * numbers, &strided);
        MPI_Type_free(&spread);
        MPI_Type_commit(&strided);
        int *dense = malloc(sizeof(int) * 2 * (size_t)numbers);
        int *gaps = malloc(sizeof(int) * 4 * (size_t)numbers);
        for (int i = 0; i < 2 * numbers; ++i)
            dense[i] = datum(rank, i % 1000);
        memset(gaps, -1, sizeof(int) * 4 * (size_t)numbers);
        if (rank == 0)
            for (int i = 0; i < 100; ++i) { // late
                int flag;
                MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ring, &flag, MPI_STATUS_IGNORE);
                CHECK(!flag); // these messages are nobody else's
            }
        CHECK_SUCCESS(MPI_Neighbor_alltoall(dense, numbers, MPI_INT, gaps, 1, strided, ring));
        int left = (rank + size - 1) % size, right = (rank + 1) % size;
        for (int i = 0; i < numbers; ++i) {
            CHECK_EQUAL(gaps[2 * i], datum(left, (numbers + i) % 1000));
            CHECK_EQUAL(gaps[2 * numbers + 2 * i], datum(right, i % 1000));
            CHECK_EQUAL(gaps[2 * i + 1], -1);
        }
        memset(dense, -1, sizeof(int) * 2 * (size_t)numbers);
        CHECK_SUCCESS(MPI_Neighbor_alltoall(gaps, 1, strided, dense, numbers, MPI_INT, ring));
        // Back again: what has come from the left goes to the left.
        for (int i = 0; i < 2 * numbers; ++i)
            CHECK_EQUAL(dense[i], datum(rank, i % 1000));
        MPI_Type_free(&strided);
        free(dense);
        free(gaps);
    }
    MPI_Comm_free(&ring);
    return finish();
}

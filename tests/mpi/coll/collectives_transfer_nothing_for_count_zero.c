// MPI 5.0 chapter 6: counts are non-negative integers; with count zero no buffer is read or
// written, and the calls still match each other.
// ranks: 1 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *zeros = calloc((size_t)size, sizeof(int));
    MPI_Comm world = MPI_COMM_WORLD;
    for (int root = 0; root < size; ++root) {
        CHECK_SUCCESS(MPI_Bcast(NULL, 0, MPI_INT, root, world));
        CHECK_SUCCESS(MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, world));
        CHECK_SUCCESS(MPI_Gatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, root, world));
        CHECK_SUCCESS(MPI_Scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, root, world));
        CHECK_SUCCESS(MPI_Scatterv(NULL, zeros, zeros, MPI_INT, NULL, 0, MPI_INT, root, world));
        CHECK_SUCCESS(MPI_Reduce(NULL, NULL, 0, MPI_INT, MPI_SUM, root, world));
    }
    CHECK_SUCCESS(MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, world));
    CHECK_SUCCESS(MPI_Allgatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, world));
    CHECK_SUCCESS(MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, world));
    CHECK_SUCCESS(MPI_Alltoallv(NULL, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_INT, world));
    CHECK_SUCCESS(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, world));
    CHECK_SUCCESS(MPI_Reduce_scatter(NULL, NULL, zeros, MPI_INT, MPI_SUM, world));
    CHECK_SUCCESS(MPI_Reduce_scatter_block(NULL, NULL, 0, MPI_INT, MPI_SUM, world));
    CHECK_SUCCESS(MPI_Scan(NULL, NULL, 0, MPI_INT, MPI_SUM, world));
    CHECK_SUCCESS(MPI_Exscan(NULL, NULL, 0, MPI_INT, MPI_SUM, world));
    int sum = 0, one = 1;
    CHECK_SUCCESS(MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world));
    CHECK_EQUAL(sum, size); // still in step
    free(zeros);
    return finish();
}

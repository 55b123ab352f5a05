// MPI 5.0 section 7.4.2: MPI_COMM_TYPE_SHARED: "all MPI processes in newcomm ... can create a
// shared memory segment"; ranks that are threads of one process all can.
// ranks: 1 2 7
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm shared, none;
    int new_rank, result;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &shared);
    MPI_Comm_compare(MPI_COMM_WORLD, shared, &result);
    CHECK_EQUAL(result, size == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
    MPI_Comm_rank(shared, &new_rank);
    CHECK_EQUAL(new_rank, size - 1 - rank); // the key orders here, too
    MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0,
                        MPI_INFO_NULL, &none);
    CHECK_EQUAL(none == MPI_COMM_NULL, rank == 0);
    if (none != MPI_COMM_NULL)
        MPI_Comm_free(&none);
    MPI_Comm_free(&shared);
    return finish();
}

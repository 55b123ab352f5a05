// MPI 5.0 section 8.5.8: newrank is the "reordered rank of the calling MPI process; MPI_UNDEFINED
// if calling MPI process does not belong to grid (integer)", and the same for graphs: all ranks
// that are mapped have different new ranks.
// ranks: 8
#include "world.h"

static void check_new_ranks(int mine, int nodes) {
    int all[8], seen[8] = {0}, mapped = 0;
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) {
        if (all[i] == MPI_UNDEFINED)
            continue;
        CHECK(all[i] >= 0 && all[i] < nodes);
        CHECK_EQUAL(seen[all[i]]++, 0);
        ++mapped;
    }
    CHECK_EQUAL(mapped, nodes);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[2] = {3, 2}, periods[2] = {1, 0}, new_rank;
    CHECK_SUCCESS(MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &new_rank));
    check_new_ranks(new_rank, 6);
    CHECK_SUCCESS(MPI_Cart_map(MPI_COMM_WORLD, 0, NULL, NULL, &new_rank));
    check_new_ranks(new_rank, 1);
    int index[4] = {2, 3, 4, 6}, edges[6] = {1, 3, 0, 3, 0, 2};
    CHECK_SUCCESS(MPI_Graph_map(MPI_COMM_WORLD, 4, index, edges, &new_rank));
    check_new_ranks(new_rank, 4);
    return finish();
}

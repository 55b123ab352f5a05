// MPI 5.0 section 6.10.1: "If comm is an inter-communicator, then the result of the reduction of
// the data provided by MPI processes in one group (group A) is scattered among MPI processes in the
// other group (group B) and vice versa."
// ranks: 2 6 16
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    int total = 12 * groups.local_size; // both groups have equally many ranks
    int *values = malloc(sizeof(int) * (size_t)total), *result = calloc((size_t)total, sizeof(int));
    int *counts = malloc(sizeof(int) * (size_t)groups.local_size);
    int of_others = groups.remote_size * groups.remote_offset +
                    groups.remote_size * (groups.remote_size - 1) / 2; // the sum of their ranks
    for (int i = 0; i < total; ++i)
        values[i] = rank + i;
    MPI_Reduce_scatter_block(values, result, 12, MPI_INT, MPI_SUM, groups.inter);
    for (int i = 0; i < 12; ++i)
        CHECK_EQUAL(result[i], of_others + groups.remote_size * (12 * groups.local_rank + i));
    // The last rank of each group gets the segments of all.
    for (int j = 0; j < groups.local_size; ++j)
        counts[j] = j == groups.local_size - 1 ? total : 0;
    memset(result, 0xff, sizeof(int) * (size_t)total);
    MPI_Reduce_scatter(values, result, counts, MPI_INT, MPI_SUM, groups.inter);
    for (int i = 0; i < total; ++i)
        CHECK_EQUAL(result[i], groups.local_rank == groups.local_size - 1
                                   ? of_others + groups.remote_size * i
                                   : -1);
    MPI_Allreduce(values, result, total, MPI_INT, MPI_SUM, groups.inter);
    for (int i = 0; i < total; ++i)
        CHECK_EQUAL(result[i], of_others + groups.remote_size * i);
    free(values);
    free(result);
    free(counts);
    free_two_groups(&groups);
    return finish();
}

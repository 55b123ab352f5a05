// MPI 5.0 section 7.6.2: "If MPI processes in one group provided the value high = false and MPI
// processes in the other group provided the value high = true then the union orders the 'low' group
// before the 'high' group. If all MPI processes provided the same high argument then the order of
// the union is arbitrary."
// ranks: 2 5 16
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    int merged_rank, merged_size;
    for (int second_is_high = 0; second_is_high < 2; ++second_is_high) {
        MPI_Comm merged;
        MPI_Intercomm_merge(groups.inter, groups.first != second_is_high, &merged);
        MPI_Comm_rank(merged, &merged_rank);
        MPI_Comm_size(merged, &merged_size);
        CHECK_EQUAL(merged_size, size);
        int high = groups.first != second_is_high;
        CHECK_EQUAL(merged_rank, groups.local_rank + (high ? groups.remote_size : 0));
        MPI_Comm_free(&merged);
    }
    MPI_Comm same;
    MPI_Intercomm_merge(groups.inter, 0, &same);
    int *all = malloc(sizeof(int) * (size_t)size), firsts = 0, changes = 0;
    MPI_Allgather(&groups.first, 1, MPI_INT, all, 1, MPI_INT, same);
    for (int i = 0; i < size; ++i) {
        firsts += all[i];
        changes += i > 0 && all[i] != all[i - 1];
    }
    CHECK_EQUAL(firsts, size / 2);
    CHECK_EQUAL(changes, 1); // each group stays together
    free(all);
    MPI_Comm_free(&same);
    free_two_groups(&groups);
    return finish();
}

// MPI 5.0 sections 6.5 and 6.6: on an inter-communicator "all MPI processes in the other group
// (group B) pass the same value in argument root, which is the rank of the root in group A. The
// root passes the value MPI_ROOT in root. All other MPI processes in group A pass the value
// MPI_PROC_NULL in root."
// ranks: 2 5 16
#include "world.h"

enum { room = 6 }; // for each block

// The root of the first group and all of the second: what rank j gets is j % 4 numbers.
static void check_v_forms(const TwoGroups *groups, int root) {
    int other = groups->remote_size, argument = root_argument(groups, root), mine[room];
    int *counts = malloc(sizeof(int) * (size_t)other),
        *places = malloc(sizeof(int) * (size_t)other);
    int *all = malloc(sizeof(int) * room * (size_t)other), is_root = argument == MPI_ROOT;
    for (int j = 0; j < other; ++j) {
        counts[j] = j % 4;
        places[j] = room * (other - 1 - j);
    }
    for (int i = 0; i < room * other; ++i)
        all[i] = is_root ? 3 * i : -1;
    memset(mine, 0xff, sizeof mine);
    int count = groups->local_rank % 4,
        place = room * (groups->local_size - 1 - groups->local_rank);
    CHECK_SUCCESS(
        MPI_Scatterv(all, counts, places, MPI_INT, mine, count, MPI_INT, argument, groups->inter));
    for (int i = 0; i < room; ++i)
        CHECK_EQUAL(mine[i], !groups->first && i < count ? 3 * (place + i) : -1);
    for (int i = 0; i < room; ++i)
        mine[i] += 5;
    CHECK_SUCCESS(
        MPI_Gatherv(mine, count, MPI_INT, all, counts, places, MPI_INT, argument, groups->inter));
    for (int i = 0; i < room * other; ++i)
        CHECK_EQUAL(all[i],
                    !is_root ? -1 : 3 * i + (i % room < (other - 1 - i / room) % 4 ? 5 : 0));
    free(counts);
    free(places);
    free(all);
}

static void check_equal_blocks(const TwoGroups *groups, int root) {
    int other = groups->remote_size, argument = root_argument(groups, root), mine = -1;
    int *all = malloc(sizeof(int) * (size_t)other);
    for (int i = 0; i < other; ++i)
        all[i] = argument == MPI_ROOT ? i + 40 : -1;
    MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, argument, groups->inter);
    CHECK_EQUAL(mine, groups->first ? -1 : groups->local_rank + 40);
    mine *= 2;
    MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, argument, groups->inter);
    for (int i = 0; i < other; ++i)
        CHECK_EQUAL(all[i], argument == MPI_ROOT ? 2 * (i + 40) : -1);
    free(all);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    for (int root = 0; root < size / 2; ++root) {
        check_v_forms(&groups, root);
        check_equal_blocks(&groups, root);
    }
    free_two_groups(&groups);
    return finish();
}

// MPI 5.0 section 7.3.2: MPI_GROUP_RANGE_INCL takes a "one-dimensional array of integer triplets,
// of the form (first rank, last rank, stride)"; first may be greater than last, with a negative
// stride.
// ranks: 12
#include "world.h"

static void check_members(MPI_Group group, MPI_Group world, int count, const int *expected) {
    int own[12], actual[12], actual_count;
    for (int i = 0; i < 12; ++i)
        own[i] = i;
    MPI_Group_size(group, &actual_count);
    CHECK_EQUAL(actual_count, count);
    MPI_Group_translate_ranks(group, count, own, world, actual);
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(actual[i], expected[i]);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int ranges[3][3] = {{1, 6, 2}, {11, 7, -3}, {0, 0, 5}};
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 3, ranges, &group);
    check_members(group, world, 6, (int[]){1, 3, 5, 11, 8, 0});
    MPI_Group_free(&group);
    MPI_Group_range_excl(world, 3, ranges,
                         &group); // the order of what remains is that of the old group
    check_members(group, world, 6, (int[]){2, 4, 6, 7, 9, 10});
    MPI_Group_free(&group);
    MPI_Group_excl(world, 3, (int[]){11, 0, 4}, &group);
    check_members(group, world, 9, (int[]){1, 2, 3, 5, 6, 7, 8, 9, 10});
    MPI_Group_free(&group);
    MPI_Group_range_incl(world, 0, NULL, &group);
    CHECK(group == MPI_GROUP_EMPTY);
    MPI_Group_range_excl(world, 0, NULL, &group);
    int result;
    MPI_Group_compare(group, world, &result);
    CHECK_EQUAL(result, MPI_IDENT);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return finish();
}

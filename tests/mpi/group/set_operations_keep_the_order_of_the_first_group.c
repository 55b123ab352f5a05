// MPI 5.0 section 7.3.2: "union: All elements of the first group (group1), followed by all elements
// of second group (group2) not in the first group. intersect: all elements of the first group that
// are also in the second group, ordered as in the first group. difference: all elements of the
// first group that are not in the second group, ordered as in the first group."
// ranks: 6
#include "world.h"

static void check_members(MPI_Group group, MPI_Group world, int count, const int *expected) {
    int actual_count, own[6] = {0, 1, 2, 3, 4, 5}, actual[6];
    MPI_Group_size(group, &actual_count);
    CHECK_EQUAL(actual_count, count);
    MPI_Group_translate_ranks(group, count, own, world, actual);
    for (int i = 0; i < count; ++i)
        CHECK_EQUAL(actual[i], expected[i]);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Group world, a, b, result;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 4, (int[]){5, 3, 1, 0}, &a);
    MPI_Group_incl(world, 3, (int[]){0, 2, 3}, &b);
    MPI_Group_union(a, b, &result);
    check_members(result, world, 5, (int[]){5, 3, 1, 0, 2});
    MPI_Group_free(&result);
    MPI_Group_union(b, a, &result);
    check_members(result, world, 5, (int[]){0, 2, 3, 5, 1});
    MPI_Group_free(&result);
    MPI_Group_intersection(a, b, &result);
    check_members(result, world, 2, (int[]){3, 0});
    MPI_Group_free(&result);
    MPI_Group_intersection(b, a, &result);
    check_members(result, world, 2, (int[]){0, 3});
    MPI_Group_free(&result);
    MPI_Group_difference(a, b, &result);
    check_members(result, world, 2, (int[]){5, 1});
    MPI_Group_free(&result);
    MPI_Group_difference(b, a, &result);
    check_members(result, world, 1, (int[]){2});
    MPI_Group_free(&result);
    MPI_Group_difference(a, a, &result);
    CHECK(result == MPI_GROUP_EMPTY);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
    CHECK(b == MPI_GROUP_NULL);
    MPI_Group_free(&world);
    return finish();
}

// MPI 5.0 section 7.3.1: "MPI_IDENT results if the group members and group order are exactly the
// same in both groups ... MPI_SIMILAR results if the group members are the same but the order is
// different. MPI_UNEQUAL results otherwise."
// ranks: 3
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Group world, again, reversed, part;
    int result;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, (int[]){0, 1, 2}, &again);
    MPI_Group_incl(world, 3, (int[]){2, 1, 0}, &reversed);
    MPI_Group_incl(world, 2, (int[]){0, 1}, &part);
    MPI_Group_compare(world, again, &result);
    CHECK_EQUAL(result, MPI_IDENT);
    MPI_Group_compare(world, reversed, &result);
    CHECK_EQUAL(result, MPI_SIMILAR);
    MPI_Group_compare(world, part, &result);
    CHECK_EQUAL(result, MPI_UNEQUAL);
    MPI_Group_compare(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, &result);
    CHECK_EQUAL(result, MPI_IDENT);
    MPI_Group_compare(MPI_GROUP_EMPTY, part, &result);
    CHECK_EQUAL(result, MPI_UNEQUAL);
    MPI_Group_free(&world);
    MPI_Group_free(&again);
    MPI_Group_free(&reversed);
    MPI_Group_free(&part);
    return finish();
}

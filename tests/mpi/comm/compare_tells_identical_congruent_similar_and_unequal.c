// MPI 5.0 section 7.4.1: "MPI_CONGRUENT results if the underlying groups are identical in
// constituents and rank order; these communicators differ only by context. MPI_SIMILAR results if
// the group members of both communicators are the same but the rank order differs. MPI_UNEQUAL
// results otherwise."
// ranks: 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm congruent, reversed, part;
    int result;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &congruent);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &part);
    MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result);
    CHECK_EQUAL(result, MPI_IDENT);
    MPI_Comm_compare(MPI_COMM_WORLD, congruent, &result);
    CHECK_EQUAL(result, MPI_CONGRUENT);
    MPI_Comm_compare(congruent, reversed, &result);
    CHECK_EQUAL(result, MPI_SIMILAR);
    MPI_Comm_compare(congruent, part, &result);
    CHECK_EQUAL(result, MPI_UNEQUAL);
    if (rank == 0) { // the same single member
        MPI_Comm_compare(part, MPI_COMM_SELF, &result);
        CHECK_EQUAL(result, MPI_CONGRUENT);
    }
    TwoGroups groups = split_in_two_groups();
    MPI_Comm_compare(groups.inter, groups.local, &result);
    CHECK_EQUAL(result, MPI_UNEQUAL);
    MPI_Comm dup;
    MPI_Comm_dup(groups.inter, &dup);
    MPI_Comm_compare(groups.inter, dup, &result);
    CHECK_EQUAL(result, MPI_CONGRUENT);
    MPI_Comm_free(&dup);
    free_two_groups(&groups);
    MPI_Comm_free(&congruent);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&part);
    return finish();
}

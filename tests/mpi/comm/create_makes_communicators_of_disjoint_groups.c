// MPI 5.0 section 7.4.2: "MPI_COMM_CREATE ... Each MPI process must call MPI_COMM_CREATE with a
// group argument that is a subgroup of the group associated with comm; this could be
// MPI_GROUP_EMPTY. The MPI processes may specify different values for the group argument."
// ranks: 3 6 13
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Group world, mine;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    // Ranks 0 mod 3 and 1 mod 3, both in descending order; the others are in none.
    int kind = rank % 3, members[13], count = 0;
    for (int i = size - 1; i >= 0; --i)
        if (i % 3 == kind)
            members[count++] = i;
    if (kind == 2)
        mine = MPI_GROUP_EMPTY;
    else
        MPI_Group_incl(world, count, members, &mine);
    MPI_Comm comm;
    MPI_Comm_create(MPI_COMM_WORLD, mine, &comm);
    if (kind == 2) {
        CHECK(comm == MPI_COMM_NULL);
    } else {
        int new_rank, new_size, all[13];
        MPI_Comm_rank(comm, &new_rank);
        MPI_Comm_size(comm, &new_size);
        CHECK_EQUAL(new_size, count);
        CHECK_EQUAL(members[new_rank], rank);
        MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm);
        for (int i = 0; i < count; ++i)
            CHECK_EQUAL(all[i], members[i]);
        MPI_Comm_free(&comm);
        MPI_Group_free(&mine);
    }
    MPI_Group_free(&world);
    return finish();
}

// MPI 5.0 section 7.4.2: "MPI_COMM_CREATE_GROUP is similar to MPI_COMM_CREATE; however,
// MPI_COMM_CREATE must be called by all MPI processes in the group of comm, whereas
// MPI_COMM_CREATE_GROUP must be called by all MPI processes in group, which is a subgroup of the
// group of comm."
// ranks: 3 6 13
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Group world, odd, even;
    int odd_range[1][3] = {{1, size - 1, 2}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, odd_range, &odd);
    MPI_Group_difference(world, odd, &even);
    MPI_Comm comm = MPI_COMM_NULL, second = MPI_COMM_NULL;
    if (rank % 2) { // only the odd ranks call, twice and with another tag
        MPI_Comm_create_group(MPI_COMM_WORLD, odd, 5, &comm);
        MPI_Comm_create_group(MPI_COMM_WORLD, odd, 6, &second);
    } else if (rank > 0) { // the even ones without rank 0, with a tag that is in use elsewhere
        int zero = 0;
        MPI_Group without_0;
        MPI_Group_excl(even, 1, &zero, &without_0);
        MPI_Comm_create_group(MPI_COMM_WORLD, without_0, 5, &comm);
        MPI_Group_free(&without_0);
    }
    if (comm != MPI_COMM_NULL) {
        int new_rank, first = rank;
        MPI_Comm_rank(comm, &new_rank);
        CHECK_EQUAL(new_rank, rank % 2 ? rank / 2 : rank / 2 - 1);
        MPI_Bcast(&first, 1, MPI_INT, 0, comm);
        CHECK_EQUAL(first, rank % 2 ? 1 : 2);
        MPI_Comm_free(&comm);
    } else {
        CHECK_EQUAL(rank, 0);
    }
    if (second != MPI_COMM_NULL)
        MPI_Comm_free(&second);
    MPI_Group_free(&world);
    MPI_Group_free(&odd);
    MPI_Group_free(&even);
    return finish();
}

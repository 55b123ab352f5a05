// MPI 5.0 section 7.6.2: MPI_INTERCOMM_CREATE_FROM_GROUPS: "Unlike MPI_INTERCOMM_CREATE, this
// function uses as input previously defined, disjoint local and remote groups. The calling MPI
// process must be a member of the local group. The call is collective over the union of the local
// and remote groups." The remote group and its leader are "significant only at local_leader".
// ranks: 2 5
#include "session.h"

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Group world, low, high;
    CHECK_SUCCESS(MPI_Group_from_session_pset(session, "mpi://WORLD", &world));
    int rank, size;
    MPI_Group_rank(world, &rank);
    MPI_Group_size(world, &size);
    int half = size / 2, first[1][3] = {{0, half - 1, 1}};
    CHECK_SUCCESS(MPI_Group_range_incl(world, 1, first, &low));
    CHECK_SUCCESS(MPI_Group_range_excl(world, 1, first, &high));
    int in_low = rank < half, local_leader = in_low ? half - 1 : 0;
    int remote_leader = in_low ? 0 : half - 1;
    int is_leader = (in_low ? rank : rank - half) == local_leader;
    MPI_Comm inter;
    CHECK_SUCCESS(MPI_Intercomm_create_from_groups(
        in_low ? low : high, local_leader, is_leader ? (in_low ? high : low) : MPI_GROUP_NULL,
        is_leader ? remote_leader : -7, "org.example.halves", MPI_INFO_NULL, MPI_ERRORS_RETURN,
        &inter));
    int flag, local, remote;
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_size(inter, &local);
    MPI_Comm_remote_size(inter, &remote);
    CHECK(flag);
    CHECK_EQUAL(local, in_low ? half : size - half);
    CHECK_EQUAL(remote, in_low ? size - half : half);
    int sum = -1; // over the other group
    CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, inter));
    int of_low = half * (half - 1) / 2, of_all = size * (size - 1) / 2;
    CHECK_EQUAL(sum, in_low ? of_all - of_low : of_low);

    // The groups overlap: everybody hears of it.
    MPI_Comm none;
    if (size == 2)
        CHECK_ERROR(MPI_Intercomm_create_from_groups(world, 0, world, 0, "overlap", MPI_INFO_NULL,
                                                     MPI_ERRORS_RETURN, &none),
                    MPI_ERR_RANK);
    MPI_Group_free(&world);
    MPI_Group_free(&low);
    MPI_Group_free(&high);
    CHECK_SUCCESS(MPI_Comm_disconnect(&inter));
    close_session(&session);
    return 0;
}

// MPI 5.0 section 7.6.1: "MPI_COMM_SIZE returns the size of the local group. MPI_COMM_GROUP returns
// the local group. MPI_COMM_RANK returns the rank in the local group"; MPI_COMM_REMOTE_SIZE and
// MPI_COMM_REMOTE_GROUP tell about the other one, MPI_COMM_TEST_INTER whether there is one.
// ranks: 2 5 16
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    int inter, value, number = 0, in_world;
    MPI_Comm_test_inter(groups.inter, &inter);
    CHECK(inter);
    MPI_Comm_test_inter(groups.local, &inter);
    CHECK(!inter);
    MPI_Comm_size(groups.inter, &value);
    CHECK_EQUAL(value, groups.local_size);
    MPI_Comm_rank(groups.inter, &value);
    CHECK_EQUAL(value, groups.local_rank);
    CHECK_EQUAL(groups.local_size + groups.remote_size, size);
    MPI_Group world, mine, remote, common;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(groups.inter, &mine);
    MPI_Comm_remote_group(groups.inter, &remote);
    MPI_Group_intersection(mine, remote, &common);
    MPI_Group_size(common, &value);
    CHECK_EQUAL(value, 0);
    MPI_Group_translate_ranks(remote, 1, &number, world, &in_world);
    CHECK_EQUAL(in_world, groups.remote_offset);
    // A message is addressed by ranks of the remote group.
    MPI_Request request;
    MPI_Status status;
    if (groups.local_rank < groups.remote_size) {
        MPI_Isend(&rank, 1, MPI_INT, groups.local_rank, 4, groups.inter, &request);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 4, groups.inter, &status);
        CHECK_EQUAL(value, groups.remote_offset + groups.local_rank);
        CHECK_EQUAL(status.MPI_SOURCE, groups.local_rank);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&mine);
    MPI_Group_free(&remote);
    MPI_Group_free(&common);
    free_two_groups(&groups);
    return finish();
}

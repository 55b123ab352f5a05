// MPI 5.0 section 7.4.2: on an inter-communicator MPI_COMM_SPLIT makes an inter-communicator for
// each color; where a color is specified in one group only, those ranks get MPI_COMM_NULL.
// ranks: 2 5 16
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    MPI_Comm dup, part;
    int value, remote, inter;
    MPI_Comm_dup(groups.inter, &dup);
    MPI_Comm_remote_size(dup, &value);
    CHECK_EQUAL(value, groups.remote_size);
    // Local ranks of the same parity in both groups.
    MPI_Comm_split(dup, groups.local_rank % 2, 0, &part);
    int alone = groups.remote_size == 1 && groups.local_rank % 2 == 1;
    CHECK_EQUAL(part == MPI_COMM_NULL, alone);
    if (part != MPI_COMM_NULL) {
        MPI_Comm_test_inter(part, &inter);
        CHECK(inter);
        MPI_Comm_remote_size(part, &remote);
        CHECK_EQUAL(remote, (groups.remote_size + 1 - groups.local_rank % 2) / 2);
        int sum, expected = 0;
        for (int i = groups.local_rank % 2; i < groups.remote_size; i += 2)
            expected += groups.remote_offset + i;
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
        CHECK_EQUAL(sum, expected);
        MPI_Comm_free(&part);
    }
    MPI_Comm_free(&dup);
    free_two_groups(&groups);
    return finish();
}

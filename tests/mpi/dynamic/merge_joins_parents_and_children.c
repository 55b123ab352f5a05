// MPI 5.0 section 7.6.2: MPI_INTERCOMM_MERGE: "If MPI processes in one group provided the value
// high = false and MPI processes in the other group provided the value high = true then the union
// orders the "low" group before the "high" group."
// ranks: 1 2
// ends: n + 3
#include "dynamic.h"

enum { children_count = 3 };

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    MPI_Comm family = is_child() ? parent : spawn_self(argv[0], "child", children_count), all, half;
    CHECK_SUCCESS(MPI_Intercomm_merge(family, is_child(), &all));
    int own, total, others;
    MPI_Comm_rank(all, &own);
    MPI_Comm_size(all, &total);
    MPI_Comm_remote_size(family, &others);
    CHECK_EQUAL(total, size + others);
    CHECK_EQUAL(own, is_child() ? others + rank : rank);
    int right = (own + 1) % total, left = (own + total - 1) % total, got = -1;
    CHECK_SUCCESS(MPI_Sendrecv(&own, 1, MPI_INT, right, 1, &got, 1, MPI_INT, left, 1, all,
                               MPI_STATUS_IGNORE));
    CHECK_EQUAL(got, left);
    // It can be split and duplicated like any other.
    CHECK_SUCCESS(MPI_Comm_split(all, own % 2, own, &half));
    int members, sum = 0, expected = 0;
    MPI_Comm_size(half, &members);
    CHECK_SUCCESS(MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, half));
    for (int i = own % 2; i < total; i += 2)
        expected += i;
    CHECK_EQUAL(sum, expected);
    CHECK_SUCCESS(MPI_Comm_disconnect(&half));
    CHECK_SUCCESS(MPI_Comm_disconnect(&all));
    return part_from(&family);
}

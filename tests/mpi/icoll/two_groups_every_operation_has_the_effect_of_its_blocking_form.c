// MPI 5.0 section 6.12: "In terms of data movement, each nonblocking collective operation has the
// same effect as its blocking counterpart for intra-communicators and inter-communicators after
// completion." Section 6.13: "In terms of data movement, each persistent collective operation has
// the same effect as its blocking and nonblocking counterparts for intra-communicators and
// inter-communicators after completion."
// ranks: 2 5 12
#include "every_collective.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    int sizes[] = {1, 3, 900};
    for (int s = 0; s < 3; ++s) {
        // The last rank of the first group is the root.
        int root = root_argument(&groups, size / 2 - 1);
        Collective a = new_collective(groups.inter, root, sizes[s]);
        Collective b = new_collective(groups.inter, root, sizes[s]);
        for (int which = 0; which < first_scan; ++which) {
            MPI_Request request;
            fill_collective(&a, which);
            call_collective(&a, which, Blocking, 0, NULL);
            for (Form form = Nonblocking; form <= Persistent; ++form) {
                fill_collective(&b, which);
                call_collective(&b, which, form, 0, &request);
                if (form == Persistent)
                    CHECK_SUCCESS(MPI_Start(&request));
                CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
                CHECK(memcmp(a.receive, b.receive, sizeof(int) * (size_t)a.room) == 0);
                if (form == Persistent)
                    CHECK_SUCCESS(MPI_Request_free(&request));
            }
        }
        free_collective(&a);
        free_collective(&b);
    }
    free_two_groups(&groups);
    return finish();
}

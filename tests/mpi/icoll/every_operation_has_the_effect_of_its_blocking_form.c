// MPI 5.0 section 6.12: "In terms of data movement, each nonblocking collective operation has the
// same effect as its blocking counterpart for intra-communicators and inter-communicators after
// completion. Likewise, upon completion, nonblocking collective reduction operations have the same
// effect as their blocking counterparts, and the same restrictions and recommendations on reduction
// orders apply."
// ranks: 1 2 5 16
#include "every_collective.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int sizes[] = {1, 3, 700, 5000};
    for (int s = 0; s < 4; ++s) {
        if (sizes[s] * size > 40000)
            continue;
        Collective a = new_collective(MPI_COMM_WORLD, size / 2, sizes[s]);
        Collective b = new_collective(MPI_COMM_WORLD, size / 2, sizes[s]);
        for (int which = 0; which < collectives; ++which) {
            MPI_Request request;
            fill_collective(&a, which);
            fill_collective(&b, which);
            call_collective(&a, which, Blocking, 0, NULL);
            call_collective(&b, which, Nonblocking, 0, &request);
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK(memcmp(a.receive, b.receive, sizeof(int) * (size_t)a.room) == 0);
            CHECK(memcmp(a.send, b.send, sizeof(int) * (size_t)a.room) == 0);
        }
        free_collective(&a);
        free_collective(&b);
    }
    return finish();
}

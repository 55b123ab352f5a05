// MPI 5.0 section 6.1: "Collective operations can (but are not required to) complete as soon as the
// caller's participation in the collective communication is finished." Also those of count 0.
// ranks: 1 2 6
#include "every_collective.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    Collective c = new_collective(MPI_COMM_WORLD, 0, 0);
    for (int which = 0; which < collectives; ++which)
        for (int round = 0; round < 3; ++round) {
            MPI_Request request;
            call_collective(&c, which, Nonblocking, 0, &request);
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        }
    free_collective(&c);
    return finish();
}

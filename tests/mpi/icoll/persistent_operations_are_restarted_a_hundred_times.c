// MPI 5.0 section 6.13: "The request argument is an output argument that can be used zero or more
// times with MPI_START or MPI_STARTALL in order to start the collective operation." and "Completing
// a persistent collective request, for example using MPI_TEST or MPI_WAIT, makes it inactive, but
// does not free the request."
// ranks: 1 2 6
#include "every_collective.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int sizes[] = {1, 1500};
    for (int s = 0; s < 2; ++s) {
        Collective model = new_collective(MPI_COMM_WORLD, size - 1, sizes[s]);
        Collective c[collectives];
        MPI_Request requests[collectives];
        for (int which = 0; which < collectives; ++which) {
            c[which] = new_collective(MPI_COMM_WORLD, size - 1, sizes[s]);
            call_collective(&c[which], which, Persistent, 0, &requests[which]);
        }
        for (int round = 0; round < (s ? 10 : 100); ++round) {
            for (int which = 0; which < collectives; ++which)
                fill_collective(&c[which], round * 31 + which);
            CHECK_SUCCESS(MPI_Startall(collectives, requests));
            CHECK_SUCCESS(MPI_Waitall(collectives, requests, MPI_STATUSES_IGNORE));
            for (int which = 0; which < collectives; ++which) {
                fill_collective(&model, round * 31 + which);
                call_collective(&model, which, Blocking, 0, NULL);
                CHECK(memcmp(model.receive, c[which].receive, sizeof(int) * (size_t)model.room) ==
                      0);
            }
        }
        for (int which = 0; which < collectives; ++which) {
            CHECK_SUCCESS(MPI_Request_free(&requests[which]));
            free_collective(&c[which]);
        }
        free_collective(&model);
    }
    return finish();
}

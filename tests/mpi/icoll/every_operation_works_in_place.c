// MPI 5.0 section 6.12: "The use of the ``in place'' option is allowed exactly as described for the
// corresponding blocking collective operations. When using the ``in place'' option, message buffers
// function as both send and receive buffers."
// ranks: 1 2 5 16
#include "every_collective.h"

static void fill_in_place(Collective *c, int seed) {
    fill_collective(c, seed);
    for (int i = 0; i < c->room; ++i)
        c->receive[i] = c->send[i] + 17;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int sizes[] = {1, 700};
    for (int s = 0; s < 2; ++s) {
        Collective a = new_collective(MPI_COMM_WORLD, size / 2, sizes[s]);
        Collective b = new_collective(MPI_COMM_WORLD, size / 2, sizes[s]);
        Collective c = new_collective(MPI_COMM_WORLD, size / 2, sizes[s]);
        for (int which = 0; which < collectives; ++which) {
            MPI_Request request, persistent;
            fill_in_place(&a, which);
            fill_in_place(&b, which);
            call_collective(&a, which, Blocking, 1, NULL);
            call_collective(&b, which, Nonblocking, 1, &request);
            call_collective(&c, which, Persistent, 1, &persistent);
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK(memcmp(a.receive, b.receive, sizeof(int) * (size_t)a.room) == 0);
            for (int round = 0; round < 2; ++round) {
                fill_in_place(&c, which); // what is sent is read at each start
                CHECK_SUCCESS(MPI_Start(&persistent));
                CHECK_SUCCESS(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
                CHECK(memcmp(a.receive, c.receive, sizeof(int) * (size_t)a.room) == 0);
            }
            CHECK_SUCCESS(MPI_Request_free(&persistent));
        }
        free_collective(&a);
        free_collective(&b);
        free_collective(&c);
    }
    return finish();
}

// MPI 5.0 section 6.12: "nonblocking collective operations do not match with blocking collective
// operations". A program that calls one of each in another order on one rank breaks the section's
// rule of order; it goes on all the same, wherever the ranks are (mpi4py's own tests do this).
// Inside a process there is a warning.
// ranks: 2 3 7
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int odd = 0; odd < size; ++odd)
        for (int round = 0; round < 20; ++round) {
            int mine = rank == odd ? 11 : 13, all = -1, value = rank == odd ? round : -1, sum;
            MPI_Request request, persistent;
            CHECK_SUCCESS(MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                             MPI_INFO_NULL, &persistent));
            if (rank != odd) {
                CHECK_SUCCESS(MPI_Bcast(&value, 1, MPI_INT, odd, MPI_COMM_WORLD));
                CHECK_EQUAL(value, round);
                CHECK_SUCCESS(MPI_Start(&persistent));
            }
            CHECK_SUCCESS(
                MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD, &request));
            if (rank == odd) {
                CHECK_SUCCESS(MPI_Bcast(&value, 1, MPI_INT, odd, MPI_COMM_WORLD));
                CHECK_SUCCESS(MPI_Start(&persistent));
            }
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK_SUCCESS(MPI_Wait(&persistent, MPI_STATUS_IGNORE));
            CHECK_EQUAL(all, 9);
            CHECK_EQUAL(sum, size * (size - 1) / 2);
            CHECK_SUCCESS(MPI_Request_free(&persistent));
        }
    return finish();
}

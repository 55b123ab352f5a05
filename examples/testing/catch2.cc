// Tests of shift() in 8 ranks each, with version 2 of Catch2 (header only) or version 3 (linked
// with -lCatch2Main -lCatch2). Started like any test program, without mpiexec.
#define CATCH_CONFIG_MAIN
#include "shift.h"

#include <thrum/catch2.h>

MPI_TEST_CASE("shift brings the value of the rank before", "[shift]", 8) {
    int rank;
    MPI_Comm_rank(world, &rank);
    CHECK(shift(rank, world) == (rank + 7) % 8);
}

// A rank whose assertion fails leaves; the others, which would wait for it for ever, are ended.
MPI_TEST_CASE("shift is complete before the barrier", "[shift]", 8) {
    int rank;
    MPI_Comm_rank(world, &rank);
    REQUIRE(shift(rank, world) == (rank + 7) % 8);
    MPI_Barrier(world);
}

// Tests of shift() in 8 ranks each (header only). Started like any test program, without mpiexec.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "shift.h"

#include <thrum/doctest.h>

MPI_TEST_CASE("shift brings the value of the rank before", 8) {
    int rank;
    MPI_Comm_rank(world, &rank);
    CHECK(shift(rank, world) == (rank + 7) % 8);
}

// A rank whose assertion fails leaves; the others, which would wait for it for ever, are ended.
MPI_TEST_CASE("shift is complete before the barrier", 8) {
    int rank;
    MPI_Comm_rank(world, &rank);
    REQUIRE(shift(rank, world) == (rank + 7) % 8);
    MPI_Barrier(world);
}

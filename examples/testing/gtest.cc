// Tests of shift() in 8 ranks each (linked with -lgtest_main -lgtest). Started like any test
// program, without mpiexec.
#include "shift.h"

#include <thrum/gtest.h>

MPI_TEST(Shift, BringsTheValueOfTheRankBefore, 8) {
    int rank;
    MPI_Comm_rank(world, &rank);
    EXPECT_EQ(shift(rank, world), (rank + 7) % 8);
}

// A rank whose assertion fails leaves; the others, which would wait for it for ever, are ended.
MPI_TEST(Shift, IsCompleteBeforeTheBarrier, 8) {
    int rank;
    MPI_Comm_rank(world, &rank);
    ASSERT_EQ(shift(rank, world), (rank + 7) % 8);
    MPI_Barrier(world);
}

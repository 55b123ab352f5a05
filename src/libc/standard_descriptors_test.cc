// Descriptors 0, 1 and 2 of ranks, which one of them may close without the others.
#include "libc/standard_descriptors.h"
#include "libc/stdio.h"
#include "libc/streams.h"
#include "libc/testing/ranks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace thrum {
namespace {

using testing::run_ranks_with_libc;

int open_null() {
    return ::open("/dev/null", O_RDWR | O_CLOEXEC);
}

TEST(StandardDescriptors, OtherNumbersMeanWhatTheyAre) {
    run_ranks_with_libc(1, [](Rank &rank) {
        open_output(libc_of(rank), rank.world_rank);
        for (int descriptor : {-1, 3, 17})
            EXPECT_EQ(real_descriptor(descriptor), descriptor);
        for (int descriptor : {0, 1, 2})
            EXPECT_EQ(real_descriptor(descriptor), descriptor);
    });
}

TEST(StandardDescriptors, AClosedOneIsClosedForItsRankOnly) {
    run_ranks_with_libc(2, [](Rank &rank) {
        open_output(libc_of(rank), rank.world_rank);
        if (rank.world_rank == 1)
            streams_of(libc_of(rank)).out_stream.close();
        yield();
        EXPECT_EQ(real_descriptor(STDOUT_FILENO), rank.world_rank == 1 ? -1 : STDOUT_FILENO);
        EXPECT_EQ(real_descriptor(STDERR_FILENO), STDERR_FILENO);
    });
    EXPECT_GE(::fcntl(STDOUT_FILENO, F_GETFD), 0);
}

TEST(StandardDescriptors, WhatIsOpenedNextGetsTheNumberOfAClosedOne) {
    run_ranks_with_libc(1, [](Rank &rank) {
        open_output(libc_of(rank), rank.world_rank);
        const int ordinary = open_null();
        EXPECT_EQ(numbered(ordinary), ordinary);
        streams_of(libc_of(rank)).out_stream.close();
        const int opened = open_null();
        EXPECT_EQ(numbered(opened), STDOUT_FILENO);
        EXPECT_GT(real_descriptor(STDOUT_FILENO), STDERR_FILENO);
        ::close(ordinary);
        streams_of(libc_of(rank)).out_stream.close();
    });
}

TEST(StandardDescriptors, ANumberBelowTheLeastIsNotUsed) {
    run_ranks_with_libc(1, [](Rank &rank) {
        open_output(libc_of(rank), rank.world_rank);
        streams_of(libc_of(rank)).out_stream.close();
        const int opened = open_null();
        EXPECT_EQ(numbered(opened, 5), opened);
        ::close(opened);
        EXPECT_EQ(numbered(-1), -1);
    });
}

} // namespace
} // namespace thrum

#include "base/clock.h"
#include "libc/sleep.h"
#include "libc/testing/ranks.h"

#include <climits>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace thrum {
namespace {

using testing::run_ranks_with_libc;

TEST(Duration, OfTooManySecondsIsTheLongest) {
    EXPECT_EQ(duration_ns({3, 5}), 3'000'000'005);
    EXPECT_EQ(duration_ns({LONG_MAX, 0}), INT64_MAX / 2);
    EXPECT_GT(duration_ns({LONG_MAX / 1'000'000'000 - 2, 0}), 0);
}

TEST(Duration, NeedsNanosecondsBelowASecond) {
    EXPECT_TRUE(is_valid_duration({0, 0}));
    EXPECT_TRUE(is_valid_duration({5, 999'999'999}));
    EXPECT_FALSE(is_valid_duration({5, 1'000'000'000}));
    EXPECT_FALSE(is_valid_duration({5, -1}));
    EXPECT_FALSE(is_valid_duration({-1, 0}));
}

TEST(Sleep, OfOneRankLetsTheOthersOfItsWorkerRun) {
    static std::vector<int> order;
    run_ranks_with_libc(2, [](Rank &rank) {
        if (rank.world_rank == 1) {
            const int64_t start_ns = now_ns();
            EXPECT_EQ(sleep_for(20'000'000), 0);
            EXPECT_GE(now_ns() - start_ns, 20'000'000);
        }
        order.push_back(rank.world_rank);
    });
    EXPECT_EQ(order, (std::vector<int>{2, 1}));
}

} // namespace
} // namespace thrum

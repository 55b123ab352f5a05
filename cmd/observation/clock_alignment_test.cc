#include "base/testing/seed.h"
#include "clock_alignment.h"

#include <gtest/gtest.h>
#include <random>

namespace observation {
namespace {

TEST(ClockAlignment, OneMachineIsAheadOfNothing) {
    const Alignment found = align_clocks(1, {});
    EXPECT_EQ(found.ahead_ns, std::vector<double>{0});
    EXPECT_EQ(found.error_ns, 0);
    EXPECT_TRUE(found.is_bounded);
}

TEST(ClockAlignment, HalfOfTheDifferenceWithinHalfOfTheSum) {
    const Alignment found = align_clocks(2, {{{0, 1}, 5200}, {{1, 0}, -4800}});
    EXPECT_EQ(found.ahead_ns[1], 5000);
    EXPECT_EQ(found.error_ns, 200);
    EXPECT_TRUE(found.is_bounded);
}

TEST(ClockAlignment, ShortWaysAreTakenFirst) {
    const Alignment found = align_clocks(3, {{{0, 1}, 100},
                                             {{1, 0}, 100},
                                             {{1, 2}, 50},
                                             {{2, 1}, 150},
                                             {{0, 2}, 9000},
                                             {{2, 0}, 9000}});
    EXPECT_EQ(found.ahead_ns, (std::vector<double>{0, 0, -50}));
    EXPECT_EQ(found.error_ns, 200);
}

TEST(ClockAlignment, OneWayKeepsTheClockUnlessMessagesWouldArriveTooEarly) {
    const Alignment late = align_clocks(2, {{{0, 1}, 700}});
    EXPECT_EQ(late.ahead_ns[1], 0);
    EXPECT_FALSE(late.is_bounded);
    EXPECT_EQ(align_clocks(2, {{{0, 1}, -700}}).ahead_ns[1], -700);
    EXPECT_EQ(align_clocks(2, {{{1, 0}, -700}}).ahead_ns[1], 700);
    EXPECT_FALSE(align_clocks(2, {}).is_bounded);
}

// Clocks that are wrong by up to a second, and delays that are never the same.
TEST(ClockAlignment, RandomClocksAreFoundWithinTheBound) {
    std::mt19937_64 random(thrum::testing::test_seed());
    std::uniform_real_distribution<double> ahead(-1e9, 1e9), least(1e3, 1e5);
    std::uniform_int_distribution<size_t> count(2, 9);
    for (int run = 0; run < 300; ++run) {
        const size_t machines = count(random);
        std::vector<double> clocks(machines);
        for (size_t i = 1; i < machines; ++i)
            clocks[i] = ahead(random);
        LeastDelays delays;
        for (size_t from = 0; from < machines; ++from)
            for (size_t to = 0; to < machines; ++to)
                if (from != to && (from + 1 == to || to + 1 == from || random() % 3 == 0))
                    delays[{from, to}] = least(random) + clocks[to] - clocks[from];
        const Alignment found = align_clocks(machines, delays);
        ASSERT_TRUE(found.is_bounded);
        for (size_t i = 0; i < machines; ++i)
            ASSERT_LE(std::abs(found.ahead_ns[i] - clocks[i]), found.error_ns + 1e-3);
        for (const auto &[pair, seen] : delays) // within the bound of both
            ASSERT_GE(seen - found.ahead_ns[pair.second] + found.ahead_ns[pair.first],
                      -2 * found.error_ns);
    }
}

} // namespace
} // namespace observation

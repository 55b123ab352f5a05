#include "base/settings.h"
#include "fiber/choice.h"

#include <cmath>
#include <gtest/gtest.h>
#include <initializer_list>
#include <set>
#include <vector>

namespace thrum {
namespace {

void read_seed(const char *variable) {
    const char *const environment[] = {variable, nullptr};
    read_settings(environment);
    follow_seed();
}

// One test: the process counts its choices from its start.
TEST(Choice, FollowsTheSeedUpToTheLimitAndIsThePlainestOneBefore) {
    EXPECT_FALSE(has_seed());
    EXPECT_EQ(choose(1000), 0u);
    EXPECT_FALSE(choose_one_in(2));
    EXPECT_EQ(choices_made(), 0u);

    read_seed("THRUM_SEED=42:5");
    EXPECT_TRUE(has_seed());
    EXPECT_EQ(choose(0), 0u);
    EXPECT_EQ(choose(1), 0u);
    EXPECT_EQ(choices_made(), 0u) << "where nothing is to be chosen, no choice counts";
    for (uint64_t number = 0; number < 5; ++number)
        EXPECT_EQ(choose(1000), choice_of_seed(42, number, 1000));
    EXPECT_EQ(choices_made(), 5u);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(choose(1000), 0u) << "after the limit the choices are the plainest";
    EXPECT_EQ(choices_made(), 105u);

    read_seed("THRUM_SEED=42");
    EXPECT_EQ(choose(1000), choice_of_seed(42, 105, 1000));
}

TEST(Choice, AllOptionsAreEquallyLikely) {
    constexpr int rounds = 60000;
    for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, ~uint64_t{0}})
        for (const uint64_t options : {2u, 3u, 5u, 64u}) {
            std::vector<int> times(options);
            for (int number = 0; number < rounds; ++number)
                ++times.at(choice_of_seed(seed, static_cast<uint64_t>(number), options));
            const double expected = static_cast<double>(rounds) / static_cast<double>(options);
            for (const int t : times) // six times the standard deviation
                EXPECT_NEAR(t, expected, 6 * std::sqrt(expected)) << seed << " " << options;
        }
}

TEST(Choice, NeighbouringSeedsAndNumbersHaveNothingInCommon) {
    std::set<uint64_t> seen;
    for (uint64_t seed = 0; seed < 100; ++seed)
        for (uint64_t number = 0; number < 100; ++number)
            seen.insert(choice_of_seed(seed, number, ~uint64_t{0}));
    EXPECT_EQ(seen.size(), 10000u);
    EXPECT_EQ(choice_of_seed(7, 3, ~uint64_t{0}), choice_of_seed(7, 3, ~uint64_t{0}));
}

} // namespace
} // namespace thrum

#include "libc/random.h"

#include <gtest/gtest.h>
#include <vector>

namespace thrum {
namespace {

TEST(Random, NumbersBeforeAnySeedAreThoseOfGlibc) {
    RandomState state; // first in this process: nobody has called srandom()
    for (int i = 0; i < 1000; ++i)
        ASSERT_EQ(next_random(state), ::random());
}

TEST(Random, NumbersAfterEachSeedAreThoseOfGlibc) {
    RandomState state;
    for (unsigned seed : {0u, 1u, 42u, 4294967295u}) {
        seed_random(state, seed);
        ::srandom(seed);
        for (int i = 0; i < 200; ++i)
            ASSERT_EQ(next_random(state), ::rand()) << "seed " << seed;
    }
}

TEST(Random, TablesOfEverySizeGiveGlibcsNumbers) {
    for (size_t size_bytes : {8u, 32u, 64u, 128u, 256u}) {
        RandomState state;
        std::vector<char> ours(256), theirs(256), others(256);
        ASSERT_NE(use_random_table(state, 5, ours.data(), size_bytes), nullptr);
        char *glibcs_own = ::initstate(5, theirs.data(), size_bytes);
        for (int i = 0; i < 100; ++i)
            ASSERT_EQ(next_random(state), ::random()) << size_bytes;
        ::setstate(glibcs_own);
    }
}

TEST(Random, SwitchingTablesResumesEachWhereItWas) {
    RandomState state, reference;
    seed_random(state, 1);
    seed_random(reference, 1);
    char other[64];
    char *first = use_random_table(state, 9, other, sizeof other);
    ASSERT_NE(first, nullptr);
    next_random(state);
    EXPECT_EQ(switch_random_table(state, first), other);
    for (int i = 0; i < 10; ++i)
        ASSERT_EQ(next_random(state), next_random(reference));
}

TEST(Random, RanksDoNotDisturbEachOther) {
    RandomState one, two, reference;
    for (RandomState *state : {&one, &two, &reference})
        seed_random(*state, 3);
    for (int i = 0; i < 10; ++i) {
        int expected = next_random(reference);
        ASSERT_EQ(next_random(one), expected);
        ASSERT_EQ(next_random(two), expected);
    }
}

} // namespace
} // namespace thrum

// Tests which frames are kept and which recursions are found; tests/wrong/ tests real walks.
#include "inspect/backtrace.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

const void *frame(uintptr_t n) {
    return reinterpret_cast<const void *>(n);
}

TEST(Backtrace, KeepsAShortStackWhole) {
    Backtrace b;
    for (uintptr_t i = 1; i <= 5; ++i)
        b.add(frame(i));
    EXPECT_EQ(b.size(), 5u);
    EXPECT_EQ(b.head_size(), 5u);
    EXPECT_EQ(b.tail_size(), 0u);
    EXPECT_EQ(b.head(4), frame(5));
    EXPECT_EQ(b.period(), 0u);
}

TEST(Backtrace, KeepsBothEndsOfALongStack) {
    Backtrace b;
    for (uintptr_t i = 1; i <= 100; ++i)
        b.add(frame(i));
    EXPECT_EQ(b.size(), 100u);
    EXPECT_EQ(b.head(31), frame(32));
    ASSERT_EQ(b.tail_size(), 16u);
    EXPECT_EQ(b.tail(0), frame(85));
    EXPECT_EQ(b.tail(15), frame(100));
    EXPECT_EQ(b.period(), 0u);
}

TEST(Backtrace, FindsARecursionAndWhoBeganIt) {
    Backtrace b;
    b.add(frame(1)); // the innermost call is at another place of the function
    for (int i = 0; i < 5000; ++i)
        b.add(frame(2));
    b.add(frame(3));
    b.add(frame(4));
    EXPECT_EQ(b.period(), 1u);
    EXPECT_EQ(b.recursion_begin(), 1u);
    EXPECT_EQ(b.recursion_size(), 5000u);
    ASSERT_EQ(b.tail_size(), 2u);
    EXPECT_EQ(b.tail(0), frame(3));
    EXPECT_EQ(b.tail(1), frame(4));
}

TEST(Backtrace, FindsAMutualRecursion) {
    Backtrace b;
    for (int i = 0; i < 1000; ++i) {
        b.add(frame(10));
        b.add(frame(11));
        b.add(frame(12));
    }
    b.add(frame(1));
    EXPECT_EQ(b.period(), 3u);
    EXPECT_EQ(b.recursion_begin(), 0u);
    EXPECT_EQ(b.recursion_size(), 3000u);
    EXPECT_EQ(b.tail_size(), 1u);
}

} // namespace
} // namespace thrum

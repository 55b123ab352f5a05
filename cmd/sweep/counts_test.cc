#include "counts.h"
#include "plan/usage_error.h"

#include <gtest/gtest.h>

namespace sweep {
namespace {

using Counts = std::vector<int>;

// Returns the message with which a text is refused, or "" if it is taken.
std::string refusal_of(const std::string &text) {
    try {
        (void)parse_counts(text);
        return "";
    } catch (const mpiexec::UsageError &error) {
        return error.what();
    }
}

TEST(Counts, ListsRangesStepsAndPowersAreRead) {
    EXPECT_EQ(parse_counts("7"), (Counts{7}));
    EXPECT_EQ(parse_counts("1..4"), (Counts{1, 2, 3, 4}));
    EXPECT_EQ(parse_counts("5..5"), (Counts{5}));
    EXPECT_EQ(parse_counts("2..9..3"), (Counts{2, 5, 8}));
    EXPECT_EQ(parse_counts("1..64x2"), (Counts{1, 2, 4, 8, 16, 32, 64}));
    EXPECT_EQ(parse_counts("3..30x3"), (Counts{3, 9, 27}));
    EXPECT_EQ(parse_counts("1..10000000x10").size(), 8U);
}

TEST(Counts, TheyAreSortedAndOccurOnce) {
    EXPECT_EQ(parse_counts("8,1..3,2,1..4x2"), (Counts{1, 2, 3, 4, 8}));
}

TEST(Counts, WhatIsNoCountIsRefusedByItsOwnText) {
    for (const char *text : {"", ",", "1,", "x", "1..", "..4", "1..4..", "1..8x", "2^3", "1-4",
                             "1..2..3..4", "1 ", "4.5", "1..8x2x2"})
        EXPECT_NE(refusal_of(text).find("expected numbers of ranks"), std::string::npos) << text;
    EXPECT_EQ(refusal_of("1,0,2"), "-n 0: the number of ranks must be at least 1");
    EXPECT_EQ(refusal_of("-3"), "-n -3: the number of ranks must be at least 1");
    EXPECT_EQ(refusal_of("0..4"), "-n 0..4: the number of ranks must be at least 1");
    EXPECT_EQ(refusal_of("1..4x1"), "-n 1..4x1: the factor must be at least 2");
    EXPECT_EQ(refusal_of("1..4..0"), "-n 1..4..0: the step must be at least 1");
    EXPECT_EQ(refusal_of("8..1"),
              "-n 8..1: the range is empty, because 8 is above 1; write the smaller number first");
}

TEST(Counts, TooManyAreRefused) {
    EXPECT_EQ(refusal_of("1000000000"), "-n 1000000000: a sweep takes at most 10,000,000 ranks");
    EXPECT_EQ(refusal_of("1,99999999999999999999"),
              "-n 99999999999999999999: a sweep takes at most 10,000,000 ranks");
    EXPECT_EQ(refusal_of("1..10000"), "");
    EXPECT_NE(refusal_of("1..10001").find("at most 10,000 counts"), std::string::npos);
    EXPECT_NE(refusal_of("1..10000000").find("at most 10,000 counts"), std::string::npos);
}

} // namespace
} // namespace sweep

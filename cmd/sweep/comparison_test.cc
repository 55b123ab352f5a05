#include "comparison.h"
#include "plan/usage_error.h"

#include <gtest/gtest.h>

namespace sweep {
namespace {

// Returns the difference between outputs, or "" if there is none.
std::string difference(const std::string &output, const std::string &usual,
                       Tolerance tolerance = {}, const std::vector<std::string> &ignored = {}) {
    return Comparison(tolerance, ignored).difference_of(output, usual).value_or("");
}

TEST(Comparison, NumbersMayDifferWithinTheRelativeTolerance) {
    EXPECT_EQ(difference("sum 1.00000000001\n", "sum 1.0\n"), "");
    EXPECT_EQ(difference("sum 1.00001\n", "sum 1.0\n"),
              "prints \"sum 1.00001\" instead of \"sum 1.0\"");
    EXPECT_EQ(difference("sum 1.00001\n", "sum 1.0\n", {1e-4, 0}), "");
    EXPECT_EQ(difference("x=-2.5e+03;", "x=-2500.0000000001;"), "");
    EXPECT_EQ(difference("1.0D+03\n", "1.0E+03\n"), "");
    EXPECT_EQ(difference("1\n", "1.00000000001\n"), "");
    EXPECT_NE(difference("x=-2.5\n", "x=2.5\n"), "");
}

TEST(Comparison, NearZeroOnlyTheAbsoluteToleranceHelps) {
    EXPECT_NE(difference("residual 3e-17\n", "residual 1e-17\n"), "");
    EXPECT_EQ(difference("residual 3e-17\n", "residual 1e-17\n", {1e-9, 1e-12}), "");
    EXPECT_EQ(difference("residual 0.0\n", "residual 1e-17\n", {1e-9, 1e-12}), "");
}

TEST(Comparison, WholeNumbersMustBeEqual) {
    EXPECT_NE(difference("count 1000000001\n", "count 1000000000\n", {1e-2, 0}), "");
    EXPECT_EQ(difference("count +5\n", "count 5\n"), "");
    EXPECT_NE(difference("9007199254740993\n", "9007199254740992\n"), "");
}

TEST(Comparison, OtherTextMustBeTheSame) {
    EXPECT_NE(difference("a 1.0\n", "b 1.0\n"), "");
    EXPECT_NE(difference("nan\n", "1.0\n"), "");
    EXPECT_NE(difference("1e999\n", "1e998\n"), "") << "both are beyond the range";
    EXPECT_NE(difference("sha 12e4567890a\n", "sha 12e4567891a\n"), "") << "not numbers";
    EXPECT_EQ(difference("a\n", "a"), "");
}

TEST(Comparison, TheOrderOfLinesIsNoResult) {
    EXPECT_EQ(difference("rank 1: 2.0\nrank 0: 1.0\n", "rank 0: 1.0\nrank 1: 2.0000000000001\n"),
              "");
    EXPECT_EQ(difference("b\na\nb\n", "a\nb\nb\n"), "");
    EXPECT_EQ(difference("a\nb\n", "a\nb\nb\n"), "does not print the line \"b\"");
    EXPECT_EQ(difference("a\nb\nb\n", "a\nb\n"), "prints another line, \"b\"");
}

TEST(Comparison, TheLineWithOtherNumbersIsNamed) {
    EXPECT_EQ(difference("n 1.0\nm 2.0\nm 7.0\n", "n 1.0\nm 3.0\nm 2.0\nz\n"),
              "prints \"m 7.0\" instead of \"m 3.0\"");
}

TEST(Comparison, IgnoredLinesAreLeftOut) {
    EXPECT_EQ(difference("4 ranks\nsum 1\ntime 3 s\n", "sum 1\n2 ranks\ntime 2 s\n", {},
                         {"ranks$", "^time"}),
              "");
    EXPECT_THROW(Comparison({}, {"("}), mpiexec::UsageError);
}

} // namespace
} // namespace sweep

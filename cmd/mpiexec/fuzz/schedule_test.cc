#include "fuzz/schedule.h"

#include <gtest/gtest.h>

namespace mpiexec {
namespace {

TEST(Schedule, IsSpelledAsTheOptionTakesIt) {
    EXPECT_EQ((Schedule{17, {}}.text()), "17");
    EXPECT_EQ((Schedule{17, 0}.text()), "17:0");
    EXPECT_EQ((Schedule{~0ull, 23}.text()), "18446744073709551615:23");
}

} // namespace
} // namespace mpiexec

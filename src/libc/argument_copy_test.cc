#include "libc/argument_copy.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(ArgumentCopy, IsIndependentOfTheOriginal) {
    char first[] = "program", second[] = "", third[] = "-x";
    char *const original[] = {first, second, third};
    char **copy = copy_strings(3, original);
    std::strcpy(first, "changed");
    EXPECT_STREQ(copy[0], "program");
    EXPECT_STREQ(copy[1], "");
    EXPECT_STREQ(copy[2], "-x");
    EXPECT_EQ(copy[3], nullptr);
    std::free(copy);
}

TEST(ArgumentCopy, OfNothingIsANullPointer) {
    char **copy = copy_strings(0, nullptr);
    EXPECT_EQ(copy[0], nullptr);
    std::free(copy);
}

} // namespace
} // namespace thrum

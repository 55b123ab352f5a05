#include "base/check.h"

#include <cstring>
#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(Attempt, DieEndsTheAttemptAndTellsWhy) {
    char text[64] = "";
    int value = 17;
    EXPECT_FALSE(run_attempt([](void *v) { die(2, "number %d is wrong", *static_cast<int *>(v)); },
                             &value, text, sizeof text));
    EXPECT_STREQ(text, "number 17 is wrong");
}

TEST(Attempt, WhatGoesWellReturnsTrue) {
    char text[16] = "untouched";
    int value = 1;
    EXPECT_TRUE(
        run_attempt([](void *v) { *static_cast<int *>(v) = 2; }, &value, text, sizeof text));
    EXPECT_EQ(value, 2);
    EXPECT_STREQ(text, "untouched");
}

TEST(Attempt, ALongReasonIsCut) {
    char text[8];
    EXPECT_FALSE(run_attempt([](void *) { die(2, "%s", "much too long for that"); }, nullptr, text,
                             sizeof text));
    EXPECT_STREQ(text, "much to");
}

TEST(AttemptDeathTest, AfterAnAttemptDieEndsTheProcessAgain) {
    auto fail_twice = [] {
        char text[16];
        run_attempt([](void *) { die(2, "first"); }, nullptr, text, sizeof text);
        die(7, "second");
    };
    EXPECT_EXIT(fail_twice(), ::testing::ExitedWithCode(7), "thrum: second");
}

} // namespace
} // namespace thrum

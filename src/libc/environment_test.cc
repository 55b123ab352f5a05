// Each rank's own environment.
#include "libc/environment.h"
#include "libc/testing/ranks.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace thrum {
namespace {

using testing::override_of;
using testing::run_ranks_with_libc;

std::string value_of(const char *name) {
    const char *value = rank_getenv(name);
    return value ? value : "(none)";
}

class Environment : public ::testing::Test {
protected:
    char path_[16] = "PATH=/bin:/usr";
    char shell_[16] = "SHELL=sh";
    char *variables_[3] = {path_, shell_, nullptr};
};

TEST_F(Environment, WhatOneRankSetsNoOtherSees) {
    run_ranks_with_libc(
        3,
        [](Rank &rank) {
            const std::string own = "value of " + std::to_string(rank.world_rank);
            rank_setenv("PATH", own.c_str());
            yield();
            EXPECT_EQ(value_of("PATH"), own);
            if (rank.world_rank == 2)
                rank_unsetenv("SHELL");
            yield();
            EXPECT_EQ(value_of("SHELL"), rank.world_rank == 2 ? "(none)" : "sh");
        },
        variables_);
    EXPECT_STREQ(path_, "PATH=/bin:/usr");
}

TEST_F(Environment, AProgramMayCutUpWhatGetenvHasReturned) {
    run_ranks_with_libc(2, [&](Rank &rank) {
        char **shared = copy_environment(variables_); // as the first ranks of a job
        *libc_of(rank).bound.environment = shared;
        if (rank.world_rank == 1)
            std::strchr(rank_getenv("PATH"), ':')[0] = 0;
        yield();
        EXPECT_EQ(value_of("PATH"), rank.world_rank == 1 ? "/bin" : "/bin:/usr");
        EXPECT_EQ(shared[2], nullptr);
        std::free(shared);
    });
}

TEST_F(Environment, ManyVariablesFit) {
    run_ranks_with_libc(
        1,
        [](Rank &) {
            for (int i = 0; i < 100; ++i)
                rank_setenv(("V" + std::to_string(i)).c_str(), std::to_string(i * i).c_str());
            for (int i = 0; i < 100; ++i)
                EXPECT_EQ(value_of(("V" + std::to_string(i)).c_str()), std::to_string(i * i));
            EXPECT_EQ(value_of("SHELL"), "sh");
        },
        variables_);
}

TEST_F(Environment, SetenvKeepsAValueThatItShallNotOverwrite) {
    run_ranks_with_libc(
        1,
        [](Rank &) {
            auto *set = override_of<int(const char *, const char *, int)>("setenv");
            EXPECT_EQ(set("SHELL", "zsh", 0), 0);
            EXPECT_EQ(value_of("SHELL"), "sh");
            EXPECT_EQ(set("SHELL", "zsh", 1), 0);
            EXPECT_EQ(value_of("SHELL"), "zsh");
        },
        variables_);
}

TEST_F(Environment, AnInvalidNameIsAnError) {
    run_ranks_with_libc(1, [](Rank &) {
        auto *set = override_of<int(const char *, const char *, int)>("setenv");
        auto *unset = override_of<int(const char *)>("unsetenv");
        for (const char *name : {"", "A=B"}) {
            errno = 0;
            EXPECT_EQ(set(name, "x", 1), -1);
            EXPECT_EQ(errno, EINVAL);
            errno = 0;
            EXPECT_EQ(unset(name), -1);
            EXPECT_EQ(errno, EINVAL);
        }
    });
}

TEST_F(Environment, PutenvUsesTheProgramsOwnString) {
    run_ranks_with_libc(
        1,
        [](Rank &) {
            auto *put = override_of<int(char *)>("putenv");
            static char entry[] = "COLOUR=red";
            static char name[] = "SHELL";
            EXPECT_EQ(put(entry), 0);
            std::strcpy(entry, "COLOUR=tan");
            EXPECT_EQ(value_of("COLOUR"), "tan");
            EXPECT_EQ(put(name), 0); // as with glibc: removes it
            EXPECT_EQ(value_of("SHELL"), "(none)");
        },
        variables_);
}

TEST_F(Environment, IsEmptyAfterClearenvAndCanBeFilledAgain) {
    run_ranks_with_libc(
        1,
        [](Rank &) {
            EXPECT_EQ(override_of<int()>("clearenv")(), 0);
            EXPECT_EQ(value_of("PATH"), "(none)");
            rank_setenv("PATH", "/new");
            EXPECT_EQ(value_of("PATH"), "/new");
        },
        variables_);
}

} // namespace
} // namespace thrum

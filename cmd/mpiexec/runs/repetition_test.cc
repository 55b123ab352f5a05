#include "runs/repetition.h"

#include <gtest/gtest.h>

namespace mpiexec {
namespace {

using Words = std::vector<std::string>;

TEST(Repetition, EverySpellingOfTheOptionsGoes) {
    EXPECT_EQ(words_of_run({"--fuzz", "100", "-n", "4", "./a"}, 4), (Words{"-n", "4", "./a"}));
    EXPECT_EQ(words_of_run({"-n", "4", "-fuzz=100", "--fuzz-compare=exit", "-seed", "7", "./a"}, 6),
              (Words{"-n", "4", "./a"}));
    EXPECT_EQ(words_of_run({"-n", "4", "--fuzz-compare", "exit", "--", "--fuzz"}, 5),
              (Words{"-n", "4", "--", "--fuzz"}));
    EXPECT_EQ(words_of_run({"--explore", "-n", "4", "--explore-time", "9", "--record=d", "./a"}, 6),
              (Words{"-n", "4", "./a"}));
    EXPECT_EQ(words_of_run({"-explore=7", "-n", "4", "-record", "d", "./a", "--explore"}, 5),
              (Words{"-n", "4", "./a", "--explore"}));
}

TEST(Repetition, WordsOfTheProgramStay) {
    EXPECT_EQ(words_of_run({"--fuzz", "3", "./a", "--fuzz", "5", "--seed=1"}, 2),
              (Words{"./a", "--fuzz", "5", "--seed=1"}));
    EXPECT_EQ(words_of_run({"--fuzz", "3", "./a", ":", "./b", "--seed", "2"}, 2),
              (Words{"./a", ":", "./b", "--seed", "2"}));
}

TEST(Repetition, WordsAreQuotedOnlyIfNeeded) {
    for (const char *plain : {"./a.out", "--x=1,2", "a_b@c:d%e+f"})
        EXPECT_EQ(quoted(plain), plain);
    EXPECT_EQ(quoted(""), "''");
    EXPECT_EQ(quoted("a b"), "'a b'");
    EXPECT_EQ(quoted("it's"), "'it'\\''s'");
    EXPECT_EQ(quoted("$HOME;*"), "'$HOME;*'");
    EXPECT_EQ(quoted("~"), "'~'");
}

} // namespace
} // namespace mpiexec

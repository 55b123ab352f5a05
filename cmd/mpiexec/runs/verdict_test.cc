#include "runs/verdict.h"

#include <gtest/gtest.h>

namespace mpiexec {
namespace {

Outcome printed(const std::string &output, const std::string &errors = "") {
    return {0, output, errors, false, 0};
}

std::string sentence_of(const Verdict &verdict, const Outcome &run) {
    const auto fault = verdict.judge(run);
    return fault ? fault->sentence : "";
}

TEST(Verdict, TheOrderOfLinesIsNoResult) {
    const Verdict verdict(printed("a\nb\nb\n"), true);
    EXPECT_EQ(sentence_of(verdict, printed("b\na\nb\n")), "");
    EXPECT_EQ(sentence_of(verdict, printed("b\na\nb")), "");
}

TEST(Verdict, TheFirstLinesThatDifferAreNamed) {
    const Verdict verdict(printed("a\nb\nb\n"), true);
    EXPECT_EQ(sentence_of(verdict, printed("a\nc\nd\n")), "prints \"c\" instead of \"b\"");
    EXPECT_EQ(sentence_of(verdict, printed("a\nb\n")), "does not print the line \"b\"");
    EXPECT_EQ(sentence_of(verdict, printed("b\na\nb\nb\n")), "prints another line, \"b\"");
    EXPECT_EQ(sentence_of(verdict, printed("b\na\nb\n\n")), "prints another line, \"\"");
    EXPECT_EQ(sentence_of(verdict, printed("a\nb\n\tx\r")), "prints \"?x?\" instead of \"b\"");
    EXPECT_EQ(sentence_of(verdict, printed("a\nb\nb\n" + std::string(200, 'z'))),
              "prints another line, \"" + std::string(100, 'z') + "...\"");
}

TEST(Verdict, OnlyNewWarningsCount) {
    const std::string leak = "thrum: warning: 1 request made by MPI_Isend at a.c:7 in main was ";
    const Verdict verdict(printed("", leak + "never completed (rank 2)\n"), true);
    EXPECT_EQ(sentence_of(verdict, printed("", "the program's own\n")), "");
    EXPECT_EQ(sentence_of(verdict, printed("", "thrum: warning: 3 requests made by MPI_Isend at "
                                               "a.c:7 in main were never completed (ranks 0-2)\n")),
              "");
    EXPECT_NE(sentence_of(verdict, printed("", "thrum: warning: 1 request made by MPI_Isend at "
                                               "a.c:8 in main was never completed (rank 2)\n")),
              "");
}

TEST(Verdict, WarningsWithoutLinesAreComparedWithoutTheirNumbers) {
    const Verdict verdict(printed("", "thrum: warning: rank 2 waits for ranks 0,1\n"), true);
    EXPECT_EQ(sentence_of(verdict, printed("", "thrum: warning: rank 7 waits for ranks 3-5\n")),
              "");
    EXPECT_EQ(sentence_of(verdict, printed("", "thrum: warning: rank 7 is lost\n")),
              "a new warning, \"thrum: warning: rank 7 is lost\"");
}

TEST(Verdict, ExitCodesComeFirst) {
    const Verdict verdict(printed("a\n"), true);
    Outcome run = printed("b\n");
    for (const auto &[code, sentence] : {std::pair(7, "exit code 7"),
                                         {86, "exit code 86 (deadlock)"},
                                         {124, "exit code 124 (time limit)"},
                                         {139, "exit code 139 (SIGSEGV)"},
                                         {255, "exit code 255"}}) {
        run.exit_code = code;
        const Fault fault = verdict.judge(run).value_or(Fault{Fault::Output, 0, "none"});
        EXPECT_EQ(fault.kind, Fault::ExitCode);
        EXPECT_EQ(fault.exit_code, code);
        EXPECT_EQ(fault.sentence, sentence);
    }
}

TEST(Verdict, WithoutComparisonOnlyExitCodesCount) {
    const Verdict verdict(printed("a\n"), false);
    EXPECT_FALSE(verdict.judge(printed("b\n", "thrum: warning: new\n")));
    EXPECT_TRUE(verdict.judge({1, "a\n", "", false, 0}));
}

TEST(Verdict, FaultsAreAlikeWithTheSameKindAndCode) {
    const Fault deadlock{Fault::ExitCode, 86, "one"}, other{Fault::ExitCode, 86, "two"};
    EXPECT_TRUE(deadlock.is_like(other));
    EXPECT_FALSE(deadlock.is_like({Fault::ExitCode, 139, "one"}));
    EXPECT_FALSE((Fault{Fault::Output, 1, ""}.is_like({Fault::ExitCode, 1, ""})));
}

} // namespace
} // namespace mpiexec

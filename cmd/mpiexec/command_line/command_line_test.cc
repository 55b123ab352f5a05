#include "command_line/command_line.h"
#include "plan/usage_error.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

namespace mpiexec {
namespace {

// The words after "mpiexec", separated by blanks.
Options parse(const std::string &line) {
    ::unsetenv("MPIEXEC_TIMEOUT");
    std::vector<std::string> words{"mpiexec"};
    std::istringstream stream(line);
    for (std::string word; stream >> word;)
        words.push_back(word);
    std::vector<char *> arguments;
    for (std::string &word : words)
        arguments.push_back(word.data());
    return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

std::string error_of(const std::string &line) {
    try {
        (void)parse(line);
    } catch (const UsageError &error) {
        EXPECT_EQ(error.exit_code, 2) << line;
        return error.what();
    }
    return "";
}

TEST(CommandLine, EverySpellingOfTheNumberOfRanks) {
    for (const char *line :
         {"-n 4 ./a", "-np 4 ./a", "--np 4 ./a", "--np=4 ./a", "-n4 ./a", "-c 4 ./a"})
        EXPECT_EQ(count_ranks(parse(line)), 4) << line;
    EXPECT_EQ(count_ranks(parse("./a")), 1);
    EXPECT_EQ(count_ranks(parse("--hosts a:3,b:2 ./a")), 5);
}

TEST(CommandLine, WhatFollowsTheProgramIsTheProgramsOwn) {
    const Options options = parse("-n 2 ./a -n 7 --help");
    EXPECT_EQ(options.programs[0].argv, (std::vector<std::string>{"./a", "-n", "7", "--help"}));
    EXPECT_EQ(parse("-n 2 -- -odd").programs[0].argv, std::vector<std::string>{"-odd"});
}

TEST(CommandLine, ColonsSeparatePrograms) {
    const Options options = parse("--prefix -n 2 ./a x : -n 3 --wdir / ./b");
    ASSERT_EQ(options.programs.size(), 2u);
    EXPECT_TRUE(options.is_on("prefix"));
    EXPECT_EQ(options.programs[0].ranks, 2);
    EXPECT_EQ(options.programs[1].ranks, 3);
    EXPECT_EQ(options.programs[1].working_dir, "/");
    EXPECT_NE(error_of("-n 1 ./a : --prefix -n 1 ./b").find("before the first program"),
              std::string::npos);
    EXPECT_NE(error_of("-n 1 ./a :").find("colon"), std::string::npos);
}

TEST(CommandLine, HostsWithoutANumberShareWhatIsMissing) {
    const Options options = parse("-n 7 --hosts a,b:3,c ./a");
    ASSERT_EQ(options.hosts.size(), 3u);
    EXPECT_EQ(options.hosts[0].slots, 2);
    EXPECT_EQ(options.hosts[1].slots, 3);
    EXPECT_EQ(options.hosts[2].slots, 2);
    const Options wide = parse("-n 8 --oversubscribe --hosts a:1,b:3 ./a");
    EXPECT_EQ(wide.hosts[0].slots + wide.hosts[1].slots, 8);
}

TEST(CommandLine, OptionsOfOtherMpisAreTranslatedOrNoted) {
    EXPECT_TRUE(parse("--map-by :OVERSUBSCRIBE -n 2 ./a").oversubscribe);
    const Options noted = parse("--mca btl self,tcp -n 2 ./a");
    ASSERT_EQ(noted.notes.size(), 1u);
    EXPECT_NE(noted.notes[0].find("--mca btl self,tcp"), std::string::npos);
    EXPECT_EQ(parse("-genv A 1 -n 1 ./a").exports, std::vector<std::string>{"A=1"});
}

TEST(CommandLine, WrongWordsAreNamedWithWhatWasMeant) {
    EXPECT_NE(error_of("--prefx ./a").find("--prefix"), std::string::npos);
    EXPECT_NE(error_of("-n x ./a").find("-n x"), std::string::npos);
    EXPECT_NE(error_of("-n 0 ./a").find("at least 1"), std::string::npos);
    EXPECT_NE(error_of("-n").find("value"), std::string::npos);
    EXPECT_NE(error_of("-n 2").find("no program"), std::string::npos);
    EXPECT_NE(error_of("--stack 1x ./a").find("--stack 1x"), std::string::npos);
    EXPECT_NE(error_of("--timeout -3 ./a").find("--timeout -3"), std::string::npos);
    EXPECT_NE(error_of("--bind-to moon ./a").find("moon"), std::string::npos);
}

TEST(CommandLine, FuzzRepeatsJobsOfOneProcess) {
    const Options options = parse("--fuzz 100 --fuzz-compare exit -n 4 ./a --fuzz 7");
    EXPECT_EQ(options.fuzz.seeds, 100);
    EXPECT_FALSE(options.fuzz.compares_output);
    EXPECT_EQ(options.option_words, 6u);
    EXPECT_TRUE(parse("--fuzz 1 ./a").fuzz.compares_output);
    for (const char *wrong : {"--fuzz 0 ./a", "--fuzz x ./a", "--fuzz 1.5 ./a", "--fuzz -1 ./a"})
        EXPECT_NE(error_of(wrong).find("expected a whole number of at least 1"), std::string::npos);
    EXPECT_NE(error_of("--fuzz 9 --fuzz-compare all ./a").find("output or exit"),
              std::string::npos);
    for (const char *other : {"--processes", "--ranks-per-process 2", "--hosts a,b",
                              "--output-dir d", "--rankfile x"}) {
        const std::string name = std::string(other).substr(0, std::string(other).find(' '));
        EXPECT_NE(error_of(std::string("--fuzz 9 ") + other + " -n 4 ./a").find(name),
                  std::string::npos);
    }
    EXPECT_NE(parse("--fuzz-compare exit ./a").notes.at(0).find("without --fuzz"),
              std::string::npos);
}

TEST(CommandLine, ExploreRepeatsJobsOfOneProcess) {
    const Options options = parse("--explore --explore-time 2.5 -n 4 ./a --explore=7");
    EXPECT_EQ(options.explore.orders_max, ExploreOptions::usual_orders_max);
    EXPECT_EQ(options.explore.time_s, 2.5);
    EXPECT_EQ(options.option_words, 5u);
    EXPECT_EQ(parse("--explore=7 ./a").explore.orders_max, 7);
    EXPECT_EQ(parse("-n 4 ./a").explore.orders_max, 0);
    for (const char *wrong : {"--explore=0 ./a", "--explore=x ./a"})
        EXPECT_NE(error_of(wrong).find("expected a whole number of at least 1"), std::string::npos);
    for (const char *other : {"--processes", "--hosts a,b", "--output-dir d", "--fuzz 3",
                              "--seed 3", "--replay d", "--threads=os"}) {
        const std::string name =
            std::string(other).substr(0, std::string(other).find_first_of(" ="));
        EXPECT_NE(error_of(std::string("--explore ") + other + " -n 4 ./a").find(name),
                  std::string::npos);
    }
    EXPECT_NE(parse("--explore-time 3 ./a").notes.at(0).find("without --explore"),
              std::string::npos);
}

TEST(CommandLine, OptionsThatExcludeEachOtherAreRefused) {
    EXPECT_NE(error_of("--processes --ranks-per-process 2 -n 4 ./a"), "");
    EXPECT_NE(error_of("--rankfile x --bind-to core -n 4 ./a"), "");
    EXPECT_NE(error_of("--stdin all --hosts a,b -n 2 ./a"), "");
}

} // namespace
} // namespace mpiexec

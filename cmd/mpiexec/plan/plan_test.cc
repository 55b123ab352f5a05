#include "plan/plan.h"
#include "plan/usage_error.h"

#include <gtest/gtest.h>

namespace mpiexec {
namespace {

Options job(int ranks, const std::string &hosts = "") {
    Options options;
    if (!hosts.empty())
        options.hosts = parse_hosts(hosts);
    options.given_settings["launcher"] = "fork"; // else a single host may be this machine
    options.programs.resize(1);
    options.programs[0].ranks = ranks;
    options.programs[0].argv = {"./a.out"};
    return options;
}

// "0+2@0 2+1@1": first rank, ranks and node of each process.
std::string text_of(const Plan &plan) {
    std::string text;
    for (const PlannedProcess &process : plan.processes)
        text += (text.empty() ? "" : " ") + std::to_string(process.first_rank) + "+" +
                std::to_string(process.ranks) + "@" + std::to_string(process.node);
    return text;
}

std::string error_of(const Options &options) {
    try {
        (void)make_plan(options);
    } catch (const UsageError &error) {
        return error.what();
    }
    return "";
}

TEST(Plan, OneHostAfterTheOtherIsFilled) {
    const Plan plan = make_plan(job(5, "a:2,b:4"));
    EXPECT_EQ(text_of(plan), "0+2@0 2+3@1");
    EXPECT_EQ(plan.hosts, (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(plan.has_agents);
    EXPECT_EQ(plan.count_on(0), 1);
}

TEST(Plan, EachHostInTurnGetsARank) {
    Options options = job(5, "a:2,b:4");
    options.map_by = "node";
    EXPECT_EQ(text_of(make_plan(options)), "0+1@0 1+1@1 2+1@0 3+1@1 4+1@1");
}

TEST(Plan, ProcessesHaveTheRanksAskedForButNotBeyondTheirHost) {
    Options options = job(7, "a:3,b:4");
    options.ranks_per_process = 2;
    EXPECT_EQ(text_of(make_plan(options)), "0+2@0 2+1@0 3+2@1 5+2@1");
    options.ranks_per_process = 0;
    options.processes = true;
    EXPECT_EQ(make_plan(options).processes.size(), 7u);
}

TEST(Plan, HostsWithoutRanksAreLeftOutUnlessTheyMaySpawn) {
    Options options = job(1, "a,b,c");
    EXPECT_EQ(make_plan(options).hosts, std::vector<std::string>{"a"});
    options.given_settings["spawn"] = "1";
    EXPECT_EQ(make_plan(options).hosts, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Plan, MoreRanksThanSlotsAreRefused) {
    const std::string error = error_of(job(4, "a:1,b:2"));
    EXPECT_NE(error.find("4 ranks"), std::string::npos) << error;
    EXPECT_NE(error.find("a:1,b:2"), std::string::npos) << error;
}

TEST(Plan, WithoutHostsAllProcessesAreHere) {
    Options options = job(3);
    options.processes = true;
    const Plan plan = make_plan(options);
    EXPECT_EQ(text_of(plan), "0+1@0 1+1@0 2+1@0");
    EXPECT_FALSE(plan.has_agents);
    EXPECT_EQ(plan.hosts, std::vector<std::string>{name_of_this_machine()});
}

TEST(Plan, AProcessMayHaveRanksOfSeveralPrograms) {
    Options options = job(3, "a:2,b:4");
    options.programs.push_back(options.programs[0]);
    options.programs[1].ranks = 2;
    options.programs[1].argv = {"./b.out"};
    const Plan plan = make_plan(options);
    ASSERT_EQ(text_of(plan), "0+2@0 2+3@1");
    const PlannedProcess &second = plan.processes[1];
    ASSERT_EQ(second.programs.size(), 2u);
    EXPECT_EQ(second.programs[0].ranks, 1);
    EXPECT_EQ(second.programs[1].ranks, 2);
    EXPECT_EQ(second.programs[1].argv[0], "./b.out");
    EXPECT_EQ(plan.processes[0].programs.size(), 1u);
    EXPECT_EQ(second.first_program, 0);
}

TEST(Plan, ARankFilePlacesEveryProcess) {
    Options options = job(3, "a:2,b:2");
    options.rank_file = "ranks";
    options.rank_places = {{0, "b", {0}, 1}, {1, "a", {1}, 2}, {2, "b", {2}, 3}};
    const Plan plan = make_plan(options);
    EXPECT_EQ(plan.hosts, (std::vector<std::string>{"b", "a"}));
    EXPECT_EQ(text_of(plan), "0+1@0 1+1@1 2+1@0");
    EXPECT_EQ(plan.processes[1].place, &options.rank_places[1]);
    options.rank_places[2].host = "c";
    EXPECT_NE(error_of(options).find("line 3"), std::string::npos);
    options.rank_places.pop_back();
    EXPECT_NE(error_of(options).find("rank 2 has no line"), std::string::npos);
}

TEST(Plan, LayoutHasRanksAndNodeOfEachProcess) {
    const auto layout = layout_of(make_plan(job(5, "a:2,b:4")));
    ASSERT_EQ(layout.size(), 2u);
    EXPECT_EQ(layout[1].ranks, 3);
    EXPECT_EQ(layout[1].node, 1);
}

} // namespace
} // namespace mpiexec

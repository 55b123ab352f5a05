#include "lines.h"
#include "view.h"
#include "view_json.h"

#include <gtest/gtest.h>

namespace live {
namespace {

// Four ranks: 1 waits for 0, 2 and 3 for 0 and 1 in a collective operation of all.
View view_of_four() {
    View view;
    view.title = "heat";
    view.processes = 1;
    view.sites = {{"MPI_Recv", "/src/heat.c", 12, "exchange"},
                  {"MPI_Barrier", "heat.c", 20, "main"}};
    view.ranks.resize(4);
    view.ranks[0] = {.activity = Activity::Computing, .seconds = 2, .computing_seconds = 5};
    view.ranks[1] = {
        .activity = Activity::Waiting, .site = 0, .seconds = 1.25, .peer = 0, .tag = 3};
    for (size_t i : {2, 3}) {
        view.ranks[i].activity = Activity::Waiting;
        view.ranks[i].site = 1;
        view.ranks[i].group = 7;
        view.ranks[i].members = 4;
    }
    return view;
}

TEST(View, RanksThatDoTheSameAreOneGroupAndTheLargestIsFirst) {
    View view = view_of_four();
    summarize(view);
    ASSERT_EQ(view.groups.size(), 3u);
    EXPECT_EQ(view.groups[0].ranks, (std::vector<int>{2, 3}));
    EXPECT_EQ(view.counts[static_cast<int>(Activity::Waiting)], 3);
    EXPECT_EQ(view.counts[static_cast<int>(Activity::Computing)], 1);
}

TEST(View, ACollectiveOperationOfAllWaitsForThoseThatAreNotInIt) {
    View view = view_of_four();
    summarize(view);
    ASSERT_EQ(view.dependences.size(), 2u);
    EXPECT_EQ(view.dependences[0].waiting, (std::vector<int>{2, 3}));
    EXPECT_EQ(view.dependences[0].for_ranks, (std::vector<int>{0, 1}));
    EXPECT_EQ(view.dependences[1].for_ranks, (std::vector<int>{0}));
    view.ranks[2].members = view.ranks[3].members = 3; // of some ranks: which ones is not known
    view.groups.clear(), view.dependences.clear();
    summarize(view);
    EXPECT_EQ(view.dependences.size(), 1u);
}

TEST(View, OnlyRanksThatComputeClearlyLongerAreSlow) {
    View view = view_of_four();
    summarize(view);
    EXPECT_EQ(view.slowest, (std::vector<int>{0}));
    for (RankView &rank : view.ranks)
        rank.computing_seconds = 5;
    view.slowest.clear();
    summarize(view);
    EXPECT_TRUE(view.slowest.empty());
}

TEST(Lines, SayWhereTheRanksAreAndForHowLong) {
    View view = view_of_four();
    summarize(view);
    const std::vector<Line> lines = lines_of(view, 0, 0);
    EXPECT_EQ(lines[0].text, "heat: 4 ranks");
    EXPECT_EQ(lines[1].text, "  1 computing, 3 waiting");
    EXPECT_EQ(lines[3].text,
              "     2 ranks: MPI_Barrier at heat.c:20 in main, waiting for 0 ms  (ranks 2,3)");
    EXPECT_EQ(lines[5].text,
              "     1 rank: MPI_Recv at heat.c:12 in exchange, waiting for 1.2 s  (rank 1)");
}

TEST(Lines, FitIntoTheRoomThatThereIs) {
    View view = view_of_four();
    summarize(view);
    const std::vector<Line> lines = lines_of(view, 4, 10);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0].text, "heat: 4 ra");
    EXPECT_EQ(lines[3].text, "... 8 more"); // its first 10 characters
}

TEST(Lines, ControlCharactersOfNamesDoNotReachTheTerminal) {
    View view = view_of_four();
    view.title = "a\33[2Jb";
    EXPECT_EQ(lines_of(view, 0, 0)[0].text, "a?[2Jb: 4 ranks");
    EXPECT_EQ(line_of(Tone::Faint, "rank 0: MPI_Send at \33.c", 21).text, "rank 0: MPI_Send at ?");
}

// A receive, and as many messages more as a queue may have.
Queues long_queues() {
    return {{{.is_posted = true,
              .rank = 1,
              .source = any_peer,
              .tag = -1,
              .bytes = 20,
              .communicator = "MPI_COMM_WORLD"}},
            {{.rank = 1, .posted = 0, .unexpected = 10}}};
}

TEST(Lines, SayHowManyEntriesOfAQueueAreNotListed) {
    const std::vector<Line> lines = lines_of(long_queues(), 0, 0);
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[1].text,
              "  rank 1: posted receive from any rank, any tag, at most 20 B, MPI_COMM_WORLD");
    EXPECT_EQ(lines[2].text, "  rank 1: 10 more unexpected messages");
}

TEST(Json, SaysHowManyEntriesOfAQueueAreNotListed) {
    const std::string json = json_of(long_queues());
    EXPECT_NE(json.find(R"("more":[{"rank":1,"posted":0,"unexpected":10}])"), std::string::npos)
        << json;
}

TEST(Json, HasOneLetterForEachRank) {
    View view = view_of_four();
    summarize(view);
    const std::string json = json_of(view);
    EXPECT_NE(json.find(R"("states":"cwww")"), std::string::npos) << json;
    EXPECT_NE(json.find(R"("who":"rank 1","whom":"rank 0")"), std::string::npos) << json;
}

} // namespace
} // namespace live

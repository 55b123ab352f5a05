// Tests how lists of ranks are written.
#include "rank/rank_list.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(RankList, WritesRunsOfNeighboursAsRanges) {
    EXPECT_EQ(rank_list({3}), "rank 3");
    EXPECT_EQ(rank_list({7, 0, 1, 2, 3}), "ranks 0-3,7");
    EXPECT_EQ(rank_list({4, 5, 9}), "ranks 4,5,9");
    EXPECT_EQ(rank_list({0, 1}), "ranks 0,1");
}

TEST(RankList, CutsAListOfManyRuns) {
    std::vector<int> ranks;
    for (int i = 0; i < 100; ++i)
        ranks.push_back(2 * i);
    std::string text = rank_list(ranks);
    EXPECT_LT(text.size(), 100u);
    EXPECT_NE(text.find("(100 in all)"), std::string::npos);
}

} // namespace
} // namespace thrum

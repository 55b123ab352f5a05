// Tests the tree of branches for all numbers of leaves up to some thousands.
#include "meeting/branches.h"

#include <gtest/gtest.h>
#include <vector>

namespace thrum {
namespace {

// Lets all leaves climb, in ascending or descending order. Returns how many come to the root.
int climb_all(int leaves, bool descending, std::vector<int> &arrived) {
    int at_root = 0;
    for (int i = 0; i < leaves; ++i)
        at_root +=
            climb_branches(descending ? leaves - 1 - i : i, leaves, [&](int branch, int children) {
                const int now = ++arrived.at(static_cast<size_t>(branch));
                EXPECT_LE(now, children);
                return now == children;
            });
    return at_root;
}

TEST(Branches, EachBranchCountsAtMostEightChildrenAndTheRootGetsTheRest) {
    for (int leaves = 1; leaves <= 1200; ++leaves)
        for (bool descending : {false, true}) {
            const BranchCounts counts = count_branches(leaves);
            std::vector<int> arrived(static_cast<size_t>(counts.branches));
            EXPECT_EQ(climb_all(leaves, descending, arrived), counts.root_children) << leaves;
            EXPECT_LE(counts.root_children, branch_children_max);
            for (int children : arrived)
                EXPECT_TRUE(children >= 1 && children <= branch_children_max) << leaves;
        }
}

TEST(Branches, UpToEightLeavesNeedNone) {
    for (int leaves = 1; leaves <= 8; ++leaves) {
        EXPECT_EQ(count_branches(leaves).branches, 0);
        EXPECT_EQ(count_branches(leaves).root_children, leaves);
    }
    EXPECT_EQ(count_branches(9).branches, 2);
    EXPECT_EQ(count_branches(9).root_children, 2);
    EXPECT_EQ(count_branches(64).branches, 8);
    EXPECT_EQ(count_branches(65).branches, 9 + 2);
    EXPECT_EQ(count_branches(65).root_children, 2);
}

} // namespace
} // namespace thrum

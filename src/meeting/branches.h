// Branches: where the leaves of a Meeting, or of a CollectiveOperation, count in if there are many.
// A counter is written by every child's last arrival, so it must not have too many children: up to
// eight leaves count at the root, more of them at branches of eight, which count at branches of
// eight, and so on.
//
//   leaves 0..7  8..15  16..23 ...     the last arrival of a leaf counts at its branch,
//        \  |     |     /
//      branch 0   1   2  ...           the last one of a branch at the next level,
//             \   |   /
//                root                  where at most eight children count
//
// Branches are numbered level by level, from the leaves up. The tree depends only on the number of
// leaves (meeting/round.h, invariant 5).
#pragma once
#include <algorithm>

namespace thrum {

inline constexpr int branch_shift = 3;
inline constexpr int branch_children_max = 1 << branch_shift;

struct BranchCounts {
    int branches = 0;      // on all levels
    int root_children = 0; // leaves or branches that count at the root
};

constexpr BranchCounts count_branches(int leaves) {
    BranchCounts counts{.branches = 0, .root_children = leaves};
    while (counts.root_children > branch_children_max) {
        counts.root_children = (counts.root_children + branch_children_max - 1) >> branch_shift;
        counts.branches += counts.root_children;
    }
    return counts;
}

// Calls count_in(branch, children) for the branches between a leaf and the root, from the leaf up,
// as long as that returns true: for the last of the branch's children. Returns whether the caller
// is to count at the root.
template <class CountIn>
bool climb_branches(int leaf, int leaves, CountIn count_in) {
    int place = leaf;
    int first = 0;
    for (int below = leaves; below > branch_children_max;) {
        place >>= branch_shift;
        if (!count_in(first + place,
                      std::min(branch_children_max, below - (place << branch_shift))))
            return false;
        below = (below + branch_children_max - 1) >> branch_shift;
        first += below;
    }
    return true;
}

} // namespace thrum

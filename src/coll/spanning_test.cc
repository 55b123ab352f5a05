#include "coll/spanning.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(Tree, HasOneEdgeLessThanProcessesWhoeverIsTheRoot) {
    for (int count = 1; count <= 40; ++count)
        for (int root = 0; root < count; ++root) {
            int edges = 0;
            for (int position = 0; position < count; ++position) {
                const Tree tree(position, root, count);
                EXPECT_EQ(tree.parent < 0, position == root);
                for (const Tree::Branch &child : tree.children) {
                    ++edges;
                    EXPECT_EQ(Tree(child.root, root, count).parent, position);
                    EXPECT_LE(child.first, child.root);
                    EXPECT_LT(child.root, child.end);
                }
            }
            EXPECT_EQ(edges, count - 1);
        }
}

// What a subtree combines is a run: a result grows at its ends only, from the last child to the
// first.
TEST(Tree, SubtreesAreRunsOfNeighbours) {
    for (int count = 1; count <= 40; ++count)
        for (int root = 0; root < count; ++root)
            for (int position = 0; position < count; ++position) {
                const Tree tree(position, root, count);
                int first = position, end = position + 1;
                for (size_t i = tree.children.size(); i-- > 0;) {
                    const Tree::Branch &child = tree.children[i];
                    ASSERT_TRUE(child.end == first || child.first == end);
                    (child.end == first ? first : end) =
                        child.end == first ? child.first : child.end;
                }
                if (position == root) {
                    EXPECT_EQ(first, 0);
                    EXPECT_EQ(end, count);
                }
            }
}

TEST(Tree, IsAsDeepAsALogarithm) {
    for (int count = 2; count <= 64; ++count)
        for (int root = 0; root < count; ++root)
            EXPECT_LE(Tree(root, root, count).children.size(), 6u);
}

} // namespace
} // namespace thrum

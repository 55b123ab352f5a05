#include "exchange/process_tree.h"

#include <gtest/gtest.h>
#include <random>

namespace thrum {
namespace {

std::vector<int> one_node(int count) {
    return std::vector<int>(static_cast<size_t>(count), 0);
}

TEST(Tree, HasOneEdgeLessThanProcessesWhoeverIsTheRoot) {
    for (int count = 1; count <= 40; ++count)
        for (int root = 0; root < count; ++root) {
            int edges = 0;
            for (int position = 0; position < count; ++position) {
                const Tree tree(position, root, one_node(count));
                EXPECT_EQ(tree.parent < 0, position == root);
                for (const Tree::Branch &child : tree.children) {
                    ++edges;
                    EXPECT_EQ(Tree(child.root, root, one_node(count)).parent, position);
                    EXPECT_LE(child.first, child.root);
                    EXPECT_LT(child.root, child.end);
                }
            }
            EXPECT_EQ(edges, count - 1);
        }
}

// A subtree combines a run of neighbours: a result grows only at its ends, from the last child to
// the first.
TEST(Tree, SubtreesAreRunsOfNeighbours) {
    for (int count = 1; count <= 40; ++count)
        for (int root = 0; root < count; ++root)
            for (int position = 0; position < count; ++position) {
                const Tree tree(position, root, one_node(count));
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
            EXPECT_LE(Tree(root, root, one_node(count)).children.size(), 6u);
}

// Holds for any number of processes on each node.
TEST(Tree, HasOneEdgeBetweenNodesLessThanNodes) {
    std::mt19937 random(1);
    for (int node_count = 1; node_count <= 12; ++node_count)
        for (int repetition = 0; repetition < 10; ++repetition) {
            std::vector<int> nodes;
            for (int node = 0; node < node_count; ++node)
                nodes.insert(nodes.end(), 1 + random() % 5, node);
            const int count = static_cast<int>(nodes.size());
            for (int root = 0; root < count; ++root) {
                int edges = 0, between_nodes = 0;
                for (int position = 0; position < count; ++position)
                    for (const Tree::Branch &child : Tree(position, root, nodes).children) {
                        EXPECT_EQ(Tree(child.root, root, nodes).parent, position);
                        ++edges;
                        between_nodes += nodes[static_cast<size_t>(position)] !=
                                         nodes[static_cast<size_t>(child.root)];
                    }
                EXPECT_EQ(edges, count - 1);
                EXPECT_EQ(between_nodes, node_count - 1);
            }
        }
}

} // namespace
} // namespace thrum

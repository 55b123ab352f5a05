#include "wireup/layout.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(Layout, TextHasRunsOfProcessesAndReadsBack) {
    std::vector<ProcessPlace> processes{{2, 0}, {2, 0}, {2, 0}, {2, 1}, {1, 1}}, read;
    std::string text = encode_layout(processes);
    EXPECT_EQ(text, "3;2;0;3;2;1;1;1;1;1;2;");
    ASSERT_TRUE(parse_layout(text, read));
    EXPECT_EQ(read, processes);
}

TEST(Layout, ProcessesMayAlternateBetweenNodes) {
    const std::vector<ProcessPlace> processes{{1, 0}, {1, 1}, {1, 0}};
    std::vector<ProcessPlace> read;
    ASSERT_TRUE(parse_layout(encode_layout(processes), read));
    EXPECT_EQ(read, processes);
}

TEST(Layout, NodesMayHaveNoProcesses) {
    std::vector<ProcessPlace> read;
    int nodes = 0;
    ASSERT_TRUE(parse_layout(encode_layout({{2, 0}, {1, 1}}, 4), read, &nodes));
    EXPECT_EQ(read, (std::vector<ProcessPlace>{{2, 0}, {1, 1}}));
    EXPECT_EQ(nodes, 4);
    ASSERT_TRUE(parse_layout(encode_layout(read, 2), read, &nodes));
    EXPECT_EQ(nodes, 2);
}

TEST(Layout, TextThatIsNoLayoutIsRefused) {
    std::vector<ProcessPlace> read;
    const std::string good = encode_layout({{2, 0}, {1, 1}});
    for (size_t size = 0; size < good.size(); ++size)
        EXPECT_FALSE(parse_layout(good.substr(0, size), read)) << size;
    for (const char *text :
         {"0;0;", "1;0;0;1;1;", "1;1;-1;1;1;", "1;1;0;0;1;", "1;a;0;1;1;", "1;1;0;99999999;1;",
          "1;99999999999;0;1;1;", "1;1;1;1;1;", "1;1;0;1;1;x", "1;1;99999999;1;100000000;"})
        EXPECT_FALSE(parse_layout(text, read)) << text;
}

TEST(Layout, ListsOfProcessesHaveRanges) {
    std::vector<int> read;
    const std::string good = encode_processes({0, 1, 2, 3, 7, 9, 10});
    EXPECT_EQ(good, "3;0;3;7;7;9;10;");
    ASSERT_TRUE(parse_processes(good, read));
    EXPECT_EQ(read, (std::vector<int>{0, 1, 2, 3, 7, 9, 10}));
    for (const char *text :
         {"", "0;", "1;-1;1;", "1;3;1;", "1;1;", "1;a;a;", "1;1;1; ", "1;0;99999999;"})
        EXPECT_FALSE(parse_processes(text, read)) << text;
}

TEST(Layout, NodesAreNumberedByTheirFirstProcess) {
    EXPECT_EQ(number_nodes({"b", "b", "a", "b", "c", "a"}), (std::vector<int>{0, 0, 1, 0, 2, 1}));
    EXPECT_EQ(number_nodes({"node1"}), std::vector<int>{0});
}

} // namespace
} // namespace thrum

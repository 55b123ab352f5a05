#include "wireup/layout.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(Layout, TextHasRunsOfProcessesAndReadsBack) {
    std::vector<ProcessPlace> processes{{2, 0}, {2, 0}, {2, 0}, {2, 1}, {1, 1}}, read;
    std::string text = encode_layout(processes);
    EXPECT_EQ(text, "2@0x3,2@1,1@1");
    ASSERT_TRUE(parse_layout(text, read));
    EXPECT_EQ(read, processes);
}

TEST(Layout, ProcessesMayAlternateBetweenNodes) {
    std::vector<ProcessPlace> read;
    ASSERT_TRUE(parse_layout("1@0,1@1,1@0", read));
    ASSERT_EQ(read.size(), 3u);
    EXPECT_EQ(read[1].node, 1);
    EXPECT_EQ(read[2].node, 0);
}

TEST(Layout, NodesMayHaveNoProcesses) {
    std::vector<ProcessPlace> read;
    int nodes = 0;
    EXPECT_EQ(encode_layout({{2, 0}, {1, 1}}, 4), "2@0,1@1;4");
    ASSERT_TRUE(parse_layout("2@0,1@1;4", read, &nodes));
    EXPECT_EQ(read, (std::vector<ProcessPlace>{{2, 0}, {1, 1}}));
    EXPECT_EQ(nodes, 4);
    ASSERT_TRUE(parse_layout(encode_layout(read, 2), read, &nodes));
    EXPECT_EQ(nodes, 2);
}

TEST(Layout, TextThatIsNoLayoutIsRefused) {
    std::vector<ProcessPlace> read;
    for (const char *text : {"", "1", "1@", "@0", "0@0", "1@-1", "1@0x0", "1@0,", "1@0 ", "a@0",
                             "1@0x99999999", "99999999999@0", "1@0;1", "1@0;", "1@0;x"})
        EXPECT_FALSE(parse_layout(text, read)) << text;
}

TEST(Layout, ListsOfProcessesHaveRanges) {
    std::vector<int> read;
    EXPECT_EQ(encode_processes({0, 1, 2, 3, 7, 9, 10}), "0-3,7,9-10");
    ASSERT_TRUE(parse_processes("0-3,7,9-10", read));
    EXPECT_EQ(read, (std::vector<int>{0, 1, 2, 3, 7, 9, 10}));
    for (const char *text : {"", "-1", "1-", "3-1", "1,", "a", "1 ", "0-99999999"})
        EXPECT_FALSE(parse_processes(text, read)) << text;
}

TEST(Layout, NodesAreNumberedByTheirFirstProcess) {
    EXPECT_EQ(number_nodes({"b", "b", "a", "b", "c", "a"}), (std::vector<int>{0, 0, 1, 0, 2, 1}));
    EXPECT_EQ(number_nodes({"node1"}), std::vector<int>{0});
}

} // namespace
} // namespace thrum

// Snapshots of processes: what arrives is what was sent, with one number for each communicator.
#include "comm/span.h"
#include "inspect/merged_snapshot.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

// Returns a context id that means the same in all processes, or one that does not.
uint32_t context_of(bool spanning) {
    uint32_t id = 1;
    while (spans(id) != spanning)
        id = id << 1 | 1;
    return id;
}

// One rank that waits in MPI_Recv on communicator number 1 of its process.
Snapshot snapshot_of(int world_rank) {
    Snapshot snapshot;
    snapshot.communicators = {{"local", {world_rank}, context_of(false), 1},
                              {"all", {0, 1}, context_of(true), 2}};
    RankState rank;
    rank.world_rank = world_rank;
    rank.function = "MPI_Recv";
    rank.place = "a 3:b;.c:7";
    rank.operation.kind = PendingOperation::Kind::Receive;
    rank.operation.peer = 1 - world_rank;
    rank.operation.tag = -1;
    rank.operation.communicator = 1;
    rank.operation.missing = {0, 1};
    rank.requests = {rank.operation};
    snapshot.ranks = {rank};
    snapshot.unmatched = {{world_rank, 1 - world_rank, 5, 0}};
    return snapshot;
}

TEST(MergedSnapshot, SpanningCommunicatorsAreOneAndOthersAreNot) {
    Snapshot all;
    ASSERT_TRUE(add_snapshot(all, snapshot_to_text(snapshot_of(0))));
    ASSERT_TRUE(add_snapshot(all, snapshot_to_text(snapshot_of(1))));
    ASSERT_EQ(all.communicators.size(), 3u);
    EXPECT_EQ(all.communicators[1].members, std::vector<int>({0, 1}));
    ASSERT_EQ(all.ranks.size(), 2u);
    for (int i = 0; i < 2; ++i) {
        const RankState &rank = all.ranks[static_cast<size_t>(i)];
        EXPECT_EQ(rank.world_rank, i);
        EXPECT_STREQ(rank.function, "MPI_Recv");
        EXPECT_STREQ(rank.place, "a 3:b;.c:7");
        EXPECT_EQ(rank.operation.peer, 1 - i);
        EXPECT_EQ(rank.operation.tag, -1);
        EXPECT_EQ(rank.operation.communicator, 1);
        ASSERT_EQ(rank.requests.size(), 1u);
        EXPECT_EQ(rank.requests[0].communicator, 1);
        EXPECT_EQ(rank.requests[0].missing, std::vector<int>({0, 1}));
        EXPECT_EQ(all.unmatched[static_cast<size_t>(i)].communicator, 2 * i);
    }
}

TEST(MergedSnapshot, ARankOutsideMpiAndOneThatIsLost) {
    Snapshot outside = snapshot_of(1), all;
    outside.ranks[0].function = nullptr;
    ASSERT_TRUE(add_snapshot(all, snapshot_to_text(outside)));
    complete_snapshot(all, 2);
    ASSERT_EQ(all.ranks.size(), 2u);
    EXPECT_TRUE(all.ranks[0].ended);
    EXPECT_EQ(all.ranks[1].function, nullptr);
    EXPECT_FALSE(all.ranks[1].ended);
}

TEST(MergedSnapshot, DamagedTextsAddNothing) {
    const std::string whole = snapshot_to_text(snapshot_of(0));
    Snapshot all;
    for (size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(add_snapshot(all, whole.substr(0, size)));
    EXPECT_FALSE(add_snapshot(all, whole + "0;"));
    EXPECT_TRUE(all.ranks.empty() && all.communicators.empty() && all.unmatched.empty());
}

TEST(MergedSnapshot, UnknownCommunicatorsAreNone) {
    Snapshot wrong = snapshot_of(0), all;
    wrong.ranks[0].operation.communicator = 2;
    wrong.unmatched[0].communicator = -7;
    ASSERT_TRUE(add_snapshot(all, snapshot_to_text(wrong)));
    EXPECT_EQ(all.ranks[0].operation.communicator, -1);
    EXPECT_EQ(all.unmatched[0].communicator, -1);
}

} // namespace
} // namespace thrum

#include "run/own_numbers.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

TEST(OwnNumbers, RanksOfARunAreCalledByTheirPlaces) {
    Rank first, second;
    first.world_rank = 7;
    second.world_rank = 3;
    Snapshot snapshot;
    snapshot.ranks.resize(2);
    snapshot.ranks[0].world_rank = 7;
    snapshot.ranks[0].operation.peer_world_rank = 3;
    snapshot.ranks[0].operation.missing = {3, 7};
    snapshot.ranks[1].world_rank = 3;
    snapshot.ranks[1].operation.peer_world_rank = 100; // not in the run
    snapshot.ranks[1].requests.resize(1);
    snapshot.ranks[1].requests[0].peer_world_rank = 7;
    snapshot.communicators.resize(1);
    snapshot.communicators[0].members = {7, 3};
    snapshot.unmatched.push_back({.receiver = 3, .source = 7});
    use_own_numbers(snapshot, {&first, &second});
    EXPECT_EQ(snapshot.ranks[0].world_rank, 0);
    EXPECT_EQ(snapshot.ranks[1].world_rank, 1);
    EXPECT_EQ(snapshot.ranks[0].operation.peer_world_rank, 1);
    EXPECT_EQ(snapshot.ranks[0].operation.missing, (std::vector<int>{1, 0}));
    EXPECT_EQ(snapshot.ranks[1].operation.peer_world_rank, -1);
    EXPECT_EQ(snapshot.ranks[1].requests[0].peer_world_rank, 0);
    EXPECT_EQ(snapshot.communicators[0].members, (std::vector<int>{0, 1}));
    EXPECT_EQ(snapshot.unmatched[0].receiver, 1);
    EXPECT_EQ(snapshot.unmatched[0].source, 0);
}

} // namespace
} // namespace thrum

#include "base/testing/seed.h"
#include "comm/group.h"
#include "comm/process.h"
#include "comm/process_lifecycle.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace thrum {
namespace {

constexpr int world_size = 50;

using thrum::testing::test_seed;

Group *group_of(const std::vector<int> &world_ranks) {
    std::vector<Process *> members;
    for (int rank : world_ranks)
        members.push_back(&process_at(rank));
    return new_group(std::move(members));
}

class GroupTest : public ::testing::Test {
protected:
    void SetUp() override { create_processes(world_size); }
};

TEST_F(GroupTest, NeighboursNeedNoMemoryPerMember) {
    const Group &world = *process_at(0).world->group;
    EXPECT_TRUE(world.members.empty());
    EXPECT_EQ(world.first, &process_at(0));
    Group *middle = group_of({7, 8, 9});
    EXPECT_TRUE(middle->members.empty());
    EXPECT_EQ(&(*middle)[2], &process_at(9));
    release(*middle);
}

TEST_F(GroupTest, DescendingOrSpacedMembersAreNotTakenForNeighbours) {
    for (const std::vector<int> &ranks : {std::vector<int>{9, 8, 7}, {1, 3, 5}, {1, 2, 4}}) {
        Group *group = group_of(ranks);
        for (size_t i = 0; i < ranks.size(); ++i) {
            EXPECT_EQ((*group)[static_cast<int>(i)].world_rank(), ranks[i]);
            EXPECT_EQ(group->rank_of(process_at(ranks[i])), static_cast<int>(i));
        }
        EXPECT_EQ(group->rank_of(process_at(40)), MPI_UNDEFINED);
        release(*group);
    }
}

TEST_F(GroupTest, NoMembersAreTheEmptyGroupWhichCannotBeFreed) {
    Group *group = new_group({});
    EXPECT_EQ(handle_of(*group), MPI_GROUP_EMPTY);
    for (int i = 0; i < 3; ++i)
        release(*group);
    EXPECT_EQ(find_group(MPI_GROUP_EMPTY)->size, 0);
}

TEST_F(GroupTest, AFreedHandleIsNoGroup) {
    Group *group = group_of({1, 4});
    EXPECT_EQ(find_group(group), group);
    release(*group);
    EXPECT_EQ(find_group(group), nullptr);
    EXPECT_EQ(find_group(MPI_GROUP_NULL), nullptr);
    EXPECT_EQ(find_group(reinterpret_cast<MPI_Group>(process_at(0).world)), nullptr);
}

TEST_F(GroupTest, ComparisonAgreesWithOneOfListsOnRandomGroups) {
    std::mt19937 random(test_seed());
    for (int round = 0; round < 2000; ++round) {
        // Uses small sets, so that equal ones occur often.
        auto draw = [&] {
            std::vector<int> ranks{0, 1, 2, 3};
            std::shuffle(ranks.begin(), ranks.end(), random);
            ranks.resize(random() % 5);
            return ranks;
        };
        std::vector<int> a = draw(), b = draw();
        int expected = a == b                                                         ? MPI_IDENT
                       : std::set(a.begin(), a.end()) == std::set(b.begin(), b.end()) ? MPI_SIMILAR
                                                                                      : MPI_UNEQUAL;
        Group *group_a = group_of(a), *group_b = group_of(b);
        EXPECT_EQ(compare_groups(*group_a, *group_b), expected);
        release(*group_a);
        release(*group_b);
    }
}

TEST_F(GroupTest, RankIndexAgreesWithRankOf) {
    std::mt19937 random(test_seed());
    std::vector<int> ranks(world_size);
    for (int i = 0; i < world_size; ++i)
        ranks[static_cast<size_t>(i)] = i;
    for (int round = 0; round < 100; ++round) {
        std::shuffle(ranks.begin(), ranks.end(), random);
        Group *group =
            group_of({ranks.begin(), ranks.begin() + 1 + static_cast<int>(random() % world_size)});
        RankIndex index(*group);
        for (int i = 0; i < world_size; ++i)
            EXPECT_EQ(index.rank_of(process_at(i)), group->rank_of(process_at(i)));
        release(*group);
    }
}

} // namespace
} // namespace thrum

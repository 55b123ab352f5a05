// Processes that are added to the table and removed again (process.h).
#include "comm/group.h"
#include "comm/process.h"
#include "comm/process_lifecycle.h"

#include <gtest/gtest.h>
#include <vector>

namespace thrum {
namespace {

constexpr int first_count = 3;

std::vector<Rank *> add(int first_number, int count) {
    std::vector<Rank *> ranks;
    for (int i = 0; i < count; ++i)
        ranks.push_back(&add_rank(first_number + i, count));
    add_processes(ranks.data(), ranks.size());
    return ranks;
}

class AddedProcessesTest : public ::testing::Test {
protected:
    void SetUp() override {
        create_ranks(first_count);
        create_processes(first_count);
        for (int i = 0; i < first_count; ++i)
            bind_process(rank_at(i));
    }
};

TEST_F(AddedProcessesTest, TheyHaveAWorldOfTheirOwnBehindTheFirstRanks) {
    std::vector<Rank *> ranks = add(first_count, 4);
    EXPECT_EQ(rank_count(), 7);
    EXPECT_EQ(process_count(), 7);
    Process &last = process_at(6);
    EXPECT_EQ(last.rank, ranks[3]);
    EXPECT_EQ(last.world->size, 4);
    EXPECT_EQ(last.world->rank, 3);
    EXPECT_EQ(&last.world->peer(0), &process_at(3));
    EXPECT_EQ(process_at(0).world->size, first_count);
    EXPECT_NE(last.world->context->id, process_at(0).world->context->id);
    EXPECT_TRUE(forget_processes(ranks.data(), ranks.size()));
}

TEST_F(AddedProcessesTest, TheyGoOnlyWhenNoGroupHasThem) {
    std::vector<Rank *> ranks = add(first_count, 2);
    Group *group = new_group({&process_at(0), &process_at(4)});
    Group *copy = group_of_session(*group, nullptr);
    EXPECT_EQ(copy, group);
    EXPECT_FALSE(forget_processes(ranks.data(), ranks.size()));
    release(*copy);
    EXPECT_FALSE(forget_processes(ranks.data(), ranks.size()));
    release(*group);
    EXPECT_TRUE(forget_processes(ranks.data(), ranks.size()));
    EXPECT_EQ(ranks[0]->process, nullptr);
}

TEST_F(AddedProcessesTest, TheirNumbersCanBeUsedAgain) {
    for (int i = 0; i < 100; ++i) {
        std::vector<Rank *> ranks = add(first_count, 3);
        EXPECT_EQ(process_count(), 6);
        EXPECT_EQ(process_at(5).world->rank, 2);
        EXPECT_FALSE(has_begun(process_at(5)));
        EXPECT_TRUE(begin_world(process_at(5), MPI_THREAD_SINGLE));
        end_world(process_at(5));
        EXPECT_TRUE(forget_processes(ranks.data(), ranks.size()));
    }
}

TEST_F(AddedProcessesTest, AGroupOfFirstAndAddedProcessesKnowsItsMembers) {
    std::vector<Rank *> ranks = add(first_count, 2);
    Group *group = new_group({&process_at(2), &process_at(3), &process_at(4)}); // neighbours
    EXPECT_TRUE(group->members.empty());
    EXPECT_EQ(group->rank_of(process_at(4)), 2);
    RankIndex index(*group);
    EXPECT_EQ(index.rank_of(process_at(3)), 1);
    EXPECT_EQ(index.rank_of(process_at(0)), MPI_UNDEFINED);
    release(*group);
    EXPECT_TRUE(forget_processes(ranks.data(), ranks.size()));
}

} // namespace
} // namespace thrum

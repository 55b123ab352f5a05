// Compares the set operations on random groups with the same operations on lists.
#include "comm/group.h"
#include "comm/testing/processes.h"
#include "entry/calls.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace thrum {
namespace {

using List = std::vector<int>; // world ranks
constexpr int world_size = 24;

bool contains(const List &list, int x) {
    return std::find(list.begin(), list.end(), x) != list.end();
}

Group &group_of(const List &world_ranks) {
    std::vector<Process *> members;
    for (int rank : world_ranks)
        members.push_back(&process_at(rank));
    return *new_group(std::move(members));
}

List list_of(const Group &group) {
    List result;
    for (int i = 0; i < group.size; ++i)
        result.push_back(group[i].world_rank());
    return result;
}

List taken(MPI_Group handle) {
    List result = list_of(*find_group(handle));
    EXPECT_FALSE(mpi::group_free(&handle));
    EXPECT_EQ(handle, MPI_GROUP_NULL);
    return result;
}

class GroupCalls : public testing::Test {
protected:
    void SetUp() override {
        create_processes(world_size);
        const char *given = std::getenv("THRUM_TEST_SEED");
        unsigned seed = given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                              : std::random_device{}();
        std::printf("THRUM_TEST_SEED=%u\n", seed);
        random.seed(seed);
    }

    List draw() {
        List all(world_size);
        for (int i = 0; i < world_size; ++i)
            all[static_cast<size_t>(i)] = i;
        if (random() % 2)
            std::shuffle(all.begin(), all.end(), random);
        size_t begin = random() % (world_size + 1), end = random() % (world_size + 1);
        if (begin > end)
            std::swap(begin, end);
        return {all.begin() + static_cast<long>(begin), all.begin() + static_cast<long>(end)};
    }

    std::mt19937 random;
};

TEST_F(GroupCalls, UnionIntersectionAndDifferenceAgreeWithThoseOfLists) {
    for (int round = 0; round < 1000; ++round) {
        List a = draw(), b = draw(), joined = a, common, rest;
        for (int x : b)
            if (!contains(a, x))
                joined.push_back(x);
        for (int x : a)
            (contains(b, x) ? common : rest).push_back(x);
        Group &group_a = group_of(a), &group_b = group_of(b);
        MPI_Group result;
        EXPECT_FALSE(mpi::group_union(group_a, group_b, &result));
        EXPECT_EQ(taken(result), joined);
        EXPECT_FALSE(mpi::group_intersection(group_a, group_b, &result));
        EXPECT_EQ(taken(result), common);
        EXPECT_FALSE(mpi::group_difference(group_a, group_b, &result));
        EXPECT_EQ(taken(result), rest);
        release(group_a);
        release(group_b);
    }
}

TEST_F(GroupCalls, InclusionAndExclusionAgreeWithLists) {
    for (int round = 0; round < 1000; ++round) {
        List members = draw(), ranks, included, excluded;
        for (int i = 0; i < static_cast<int>(members.size()); ++i)
            if (random() % 2)
                ranks.push_back(i);
        for (int i = 0; i < static_cast<int>(members.size()); ++i)
            if (!contains(ranks, i))
                excluded.push_back(members[static_cast<size_t>(i)]);
        std::shuffle(ranks.begin(), ranks.end(), random);
        for (int rank : ranks)
            included.push_back(members[static_cast<size_t>(rank)]);
        Group &group = group_of(members);
        MPI_Group result;
        EXPECT_FALSE(mpi::group_incl(group, static_cast<int>(ranks.size()), ranks.data(), &result));
        EXPECT_EQ(taken(result), included);
        EXPECT_FALSE(mpi::group_excl(group, static_cast<int>(ranks.size()), ranks.data(), &result));
        EXPECT_EQ(taken(result), excluded);
        release(group);
    }
}

TEST_F(GroupCalls, RangesMayAscendDescendAndStepOverTheirEnd) {
    Group &world = *process_at(0).world->group;
    int ranges[][3] = {{6, 7, 1}, {1, 6 - 1, 2}, {9, 12, 2}, {20, 14, -3}};
    MPI_Group result;
    EXPECT_FALSE(mpi::group_range_incl(world, 4, ranges, &result));
    EXPECT_EQ(taken(result), (List{6, 7, 1, 3, 5, 9, 11, 20, 17, 14}));
    int all_but[][3] = {{2, 23, 1}};
    EXPECT_FALSE(mpi::group_range_excl(world, 1, all_but, &result));
    EXPECT_EQ(taken(result), (List{0, 1}));
}

TEST_F(GroupCalls, WrongRanksAndRangesAreNamed) {
    Group &world = *process_at(0).world->group;
    MPI_Group result;
    int twice[] = {3, 4, 3}, outside[] = {world_size};
    EXPECT_EQ(mpi::group_incl(world, 3, twice, &result).code(), MPI_ERR_RANK);
    EXPECT_STREQ(error_detail(MPI_ERR_RANK), "ranks[2] is 3, which appears twice in ranks");
    EXPECT_EQ(mpi::group_excl(world, 1, outside, &result).code(), MPI_ERR_RANK);
    EXPECT_STREQ(error_detail(MPI_ERR_RANK), "ranks[0] is 24, but group has 24 members");
    int standing[][3] = {{0, 1, 0}};
    EXPECT_EQ(mpi::group_range_incl(world, 1, standing, &result).code(), MPI_ERR_ARG);
}

TEST_F(GroupCalls, TranslatedRanksNameTheSameProcesses) {
    for (int round = 0; round < 500; ++round) {
        List a = draw(), b = draw();
        Group &group_a = group_of(a), &group_b = group_of(b);
        List ranks{MPI_PROC_NULL}, translated(a.size() + 1);
        for (int i = 0; i < group_a.size; ++i)
            ranks.push_back(i);
        EXPECT_FALSE(mpi::group_translate_ranks(group_a, static_cast<int>(ranks.size()),
                                                ranks.data(), group_b, translated.data()));
        EXPECT_EQ(translated[0], MPI_PROC_NULL);
        for (size_t i = 0; i < a.size(); ++i) {
            auto found = std::find(b.begin(), b.end(), a[i]);
            EXPECT_EQ(translated[i + 1],
                      found == b.end() ? MPI_UNDEFINED : static_cast<int>(found - b.begin()));
        }
        release(group_a);
        release(group_b);
    }
}

} // namespace
} // namespace thrum

// Tests the places of workers on made-up machines, and in which order workers look at each other.
#include "fiber/look_order.h"
#include "fiber/places.h"
#include "fiber/testing/machine.h"

#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace thrum {
namespace {

using thrum::testing::FakeMachine;
using thrum::testing::first_processors;

std::vector<WorkerPlace> places_on(const FakeMachine &machine, const cpu_set_t &usable,
                                   int workers) {
    return places_of_workers(Hardware(machine.root()), usable, workers);
}

bool same(const cpu_set_t &set, const std::vector<size_t> &numbers) {
    cpu_set_t expected;
    CPU_ZERO(&expected);
    for (size_t number : numbers)
        CPU_SET(number, &expected);
    return CPU_EQUAL(&set, &expected);
}

TEST(Places, ConsecutiveWorkersShareCacheAndNode) {
    FakeMachine machine;
    machine.add_nodes(2, 2, 2, 2);
    const std::vector<WorkerPlace> places = places_on(machine, first_processors(16), 16);
    ASSERT_EQ(places.size(), 16u);
    for (int i = 0; i < 16; ++i) {
        const WorkerPlace &place = places[static_cast<size_t>(i)];
        EXPECT_EQ(place.cache_mates.first, i / 4 * 4);
        EXPECT_EQ(place.cache_mates.count, 4);
        EXPECT_EQ(place.node_mates.first, i / 8 * 8);
        EXPECT_EQ(place.node_mates.count, 8);
    }
    EXPECT_TRUE(same(places[5].cache_processors, {2, 3, 10, 11}));
    EXPECT_TRUE(same(places[5].node_processors, {0, 1, 2, 3, 8, 9, 10, 11}));
    EXPECT_TRUE(same(places[8].cache_processors, {4, 5, 12, 13}));
}

TEST(Places, OnlyProcessorsThatMayBeUsedCount) {
    FakeMachine machine;
    machine.add_nodes(2, 1, 4, 1);
    cpu_set_t usable = first_processors(8);
    for (size_t taken : {1, 4, 5, 6})
        CPU_CLR(taken, &usable);
    const std::vector<WorkerPlace> places = places_on(machine, usable, 4);
    ASSERT_EQ(places.size(), 4u);
    EXPECT_TRUE(same(places[2].node_processors, {0, 2, 3}));
    EXPECT_TRUE(same(places[3].node_processors, {7}));
    EXPECT_EQ(places[3].node_mates.first, 3);
}

TEST(Places, WorkersHaveNoneOnOneNodeNorIfTheyAreNotAsManyAsProcessors) {
    FakeMachine one, two;
    one.add_nodes(1, 4, 2, 1);
    two.add_nodes(2, 2, 2, 1);
    EXPECT_TRUE(places_on(one, first_processors(8), 8).empty());
    EXPECT_TRUE(places_on(two, first_processors(8), 7).empty());
    EXPECT_TRUE(places_on(two, first_processors(8), 9).empty());
    EXPECT_TRUE(places_on(two, first_processors(4), 4).empty()); // all on the first node
    EXPECT_EQ(places_on(two, first_processors(8), 8).size(), 8u);
}

TEST(Places, AMachineThatHidesItsCachesHasNodes) {
    FakeMachine machine;
    machine.add_nodes(2, 2, 2, 1);
    machine.remove("cpu/cpu3/cache/index2/level");
    const std::vector<WorkerPlace> places = places_on(machine, first_processors(8), 8);
    ASSERT_EQ(places.size(), 8u);
    EXPECT_EQ(places[1].cache_mates.count, 4);
    EXPECT_TRUE(CPU_EQUAL(&places[1].cache_processors, &places[1].node_processors));
}

// Package, node and cache in unusual combinations: a cache over two nodes.
TEST(Places, ACacheThatNodesShareIsNoWiderThanTheNode) {
    FakeMachine machine;
    for (int p = 0; p < 4; ++p) {
        const std::string own = std::to_string(p);
        machine.add({p, 0, p / 2, own, own, "0-3"});
    }
    const std::vector<WorkerPlace> places = places_on(machine, first_processors(4), 4);
    ASSERT_EQ(places.size(), 4u);
    EXPECT_EQ(places[2].cache_mates.first, 2);
    EXPECT_EQ(places[2].cache_mates.count, 2);
    EXPECT_TRUE(same(places[2].cache_processors, {2, 3}));
}

std::vector<int> looks(LookOrder &order, int count) {
    std::vector<int> seen;
    for (int i = 0; i < count; ++i)
        seen.push_back(order.next());
    return seen;
}

TEST(LookOrder, WithoutPlacesAllTakeTurns) {
    LookOrder order;
    order.begin(2, 4, nullptr);
    EXPECT_EQ(looks(order, 4), (std::vector<int>{3, 0, 1, 3}));
    order.restart(); // goes on where it was
    EXPECT_EQ(looks(order, 2), (std::vector<int>{0, 1}));
    order.begin(0, 1, nullptr);
    EXPECT_EQ(order.next(), -1);
}

// Two nodes of two caches of two workers.
TEST(LookOrder, NearWorkersComeFirst) {
    FakeMachine machine;
    machine.add_nodes(2, 2, 2, 1);
    const std::vector<WorkerPlace> places = places_on(machine, first_processors(8), 8);
    LookOrder order;
    order.begin(5, 8, &places.at(5));
    const std::vector<int> round = {4, 6, 7, 0, 1, 2, 3};
    EXPECT_EQ(looks(order, 7), round);
    EXPECT_EQ(looks(order, 7), round);
    EXPECT_EQ(looks(order, 2), (std::vector<int>{4, 6}));
    order.restart();
    EXPECT_EQ(looks(order, 4), (std::vector<int>{4, 7, 6, 0}));
}

// Three nodes of two caches of 20 workers.
TEST(LookOrder, FarWorkersAreLookedAtSeldomButEachInTime) {
    FakeMachine machine;
    machine.add_nodes(3, 2, 20, 1);
    const std::vector<WorkerPlace> places = places_on(machine, first_processors(120), 120);
    for (int own : {0, 57, 119}) {
        const WorkerPlace &place = places.at(static_cast<size_t>(own));
        LookOrder order;
        order.begin(own, 120, &place);
        std::set<int> seen;
        for (int i = 0; i < 32; ++i) {
            const int other = order.next();
            EXPECT_TRUE(place.node_mates.contains(other)) << other;
            EXPECT_EQ(place.cache_mates.contains(other), i < 16) << other;
        }
        int far = 0;
        for (int i = 0; i < 4000; ++i) {
            const int other = order.next();
            ASSERT_TRUE(other >= 0 && other < 120 && other != own) << other;
            far += !place.node_mates.contains(other);
            seen.insert(other);
        }
        EXPECT_EQ(seen.size(), 119u);
        EXPECT_LE(far, 4000 / 4);
    }
}

} // namespace
} // namespace thrum

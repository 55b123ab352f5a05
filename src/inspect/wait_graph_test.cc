// Which ranks can never continue: small cases by hand, and random graphs against the definition.
#include "inspect/wait_graph.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace thrum {
namespace {

using State = WaitNode::State;
using Of = Need::Of;
using Ranks = std::vector<int>;

WaitNode blocked(std::vector<Need> needs, bool all = true) {
    return {State::Blocked, {{all, std::move(needs)}}};
}

const WaitNode free_node{State::Free, {}}, gone{State::Gone, {}};

TEST(WaitGraph, FindsACycleBesideAFreeRank) {
    EXPECT_EQ(ranks_that_never_continue(
                  {{blocked({{Of::Rank, 1}}), blocked({{Of::Rank, 0}}), free_node}, {}}),
              Ranks({0, 1}));
}

TEST(WaitGraph, AddsThoseThatWaitForTheCycle) {
    EXPECT_EQ(ranks_that_never_continue({{blocked({{Of::Rank, 0}}), blocked({{Of::Rank, 0}}),
                                          free_node, blocked({{Of::Rank, 2}})},
                                         {}}),
              Ranks({0, 1}));
}

TEST(WaitGraph, ARankThatWaitsForAFreeOneIsFree) {
    EXPECT_EQ(ranks_that_never_continue({{blocked({{Of::Rank, 1}}), blocked({{Of::Rank, 2}}),
                                          blocked({{Of::Rank, 3}}), free_node},
                                         {}}),
              Ranks());
}

TEST(WaitGraph, ARankThatHasEndedIsNotWaitedForInVain) {
    EXPECT_EQ(ranks_that_never_continue({{blocked({{Of::Rank, 1}}), gone, free_node}, {}}),
              Ranks({0}));
}

TEST(WaitGraph, OneOfSeveralNeedsIsEnoughOrNot) {
    for (bool all : {false, true})
        EXPECT_EQ(ranks_that_never_continue({{blocked({{Of::Rank, 1}, {Of::Rank, 2}}, all),
                                              blocked({{Of::Rank, 0}}), free_node},
                                             {}}),
                  all ? Ranks({0, 1}) : Ranks());
}

TEST(WaitGraph, AnyMemberOfAGroupMaySend) {
    for (bool somebody_is_free : {false, true})
        EXPECT_EQ(
            ranks_that_never_continue({{blocked({{Of::AnyOfGroup, 0}}), blocked({{Of::Rank, 0}}),
                                        somebody_is_free ? free_node : gone, free_node},
                                       {{0, 1, 2}}}),
            somebody_is_free ? Ranks() : Ranks({0, 1}));
}

TEST(WaitGraph, ACollectiveNeedsAllThatAreMissing) {
    EXPECT_EQ(
        ranks_that_never_continue(
            {{blocked({{Of::AllOfGroup, 0}}), blocked({{Of::Rank, 1}}), free_node}, {{1, 2}}}),
        Ranks({0, 1}));
}

TEST(WaitGraph, ARankWithAThreadThatCanContinueIsFree) {
    WaitNode two_threads{State::Blocked, {{true, {{Of::Rank, 0}}}, {true, {{Of::Rank, 1}}}}};
    EXPECT_EQ(ranks_that_never_continue({{two_threads, free_node}, {}}), Ranks());
    EXPECT_EQ(ranks_that_never_continue({{two_threads, gone}, {}}), Ranks({0}));
}

TEST(WaitGraph, AnUnknownNeedKeepsARankFree) {
    EXPECT_EQ(ranks_that_never_continue({{blocked({}), blocked({}, false)}, {}}), Ranks());
}

// By the definition: ranks become free in rounds, until none does.
Ranks by_definition(const WaitGraph &graph) {
    std::vector<char> is_free(graph.nodes.size());
    for (size_t i = 0; i < graph.nodes.size(); ++i)
        is_free[i] = graph.nodes[i].state == State::Free ? 1 : 0;
    auto is_met = [&](const Need &need) {
        if (need.of == Of::Rank)
            return static_cast<bool>(is_free[static_cast<size_t>(need.index)]);
        size_t count = 0;
        const auto &group = graph.groups[static_cast<size_t>(need.index)];
        for (int rank : group)
            count += is_free[static_cast<size_t>(rank)];
        return need.of == Of::AnyOfGroup ? count > 0 : count == group.size();
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < graph.nodes.size(); ++i) {
            if (graph.nodes[i].state != State::Blocked || is_free[i])
                continue;
            for (const Wait &wait : graph.nodes[i].waits) {
                size_t met = 0;
                for (const Need &need : wait.needs)
                    met += is_met(need);
                if (met == wait.needs.size() || (!wait.all && met > 0))
                    is_free[i] = 1, changed = true;
            }
        }
    }
    Ranks stuck;
    for (size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].state == State::Blocked && !is_free[i])
            stuck.push_back(static_cast<int>(i));
    return stuck;
}

WaitGraph random_graph(std::mt19937_64 &random) {
    auto below = [&](int n) {
        return static_cast<int>(random() % static_cast<uint64_t>(n));
    };
    const int ranks = 1 + below(12), groups = 1 + below(3);
    WaitGraph graph;
    for (int g = 0; g < groups; ++g) {
        graph.groups.emplace_back();
        for (int rank = 0; rank < ranks; ++rank)
            if (below(2))
                graph.groups.back().push_back(rank);
    }
    for (int rank = 0; rank < ranks; ++rank) {
        WaitNode &node = graph.nodes.emplace_back();
        const int kind = below(10);
        node.state = kind == 0 ? State::Free : kind == 1 ? State::Gone : State::Blocked;
        for (int thread = node.state == State::Blocked ? 1 + (below(5) == 0) : 0; thread > 0;
             --thread) {
            Wait &wait = node.waits.emplace_back();
            wait.all = below(2);
            for (int n = 1 + below(3); n > 0; --n) {
                const int of = below(4);
                wait.needs.push_back(of == 0   ? Need{Of::AnyOfGroup, below(groups)}
                                     : of == 1 ? Need{Of::AllOfGroup, below(groups)}
                                               : Need{Of::Rank, below(ranks)});
            }
        }
    }
    return graph;
}

// An empty group is met by nobody as "any", and by everybody as "all", from the start.
TEST(WaitGraph, AgreesWithTheDefinitionOnRandomGraphs) {
    const char *given = std::getenv("SEED");
    const uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::mt19937_64 random(seed);
    size_t with_stuck = 0, without = 0;
    for (int i = 0; i < 20'000; ++i) {
        const WaitGraph graph = random_graph(random);
        const Ranks expected = by_definition(graph);
        ASSERT_EQ(ranks_that_never_continue(graph), expected) << "SEED=" << seed << " graph " << i;
        ++(expected.empty() ? without : with_stuck);
    }
    EXPECT_GT(with_stuck, 1000U); // both outcomes have been tested
    EXPECT_GT(without, 1000U);
}

} // namespace
} // namespace thrum

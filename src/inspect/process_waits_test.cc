// Readings of processes: whatever the distribution of the ranks, the merged graph says what the
// graph of all ranks says; and what is only known to be on its way is no reason to wait.
#include "inspect/process_waits.h"

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

// Returns what is left of a reading that travels.
ProcessWaits sent(const ProcessWaits &waits) {
    std::optional<ProcessWaits> arrived = waits_from_text(waits_to_text(waits));
    EXPECT_TRUE(arrived);
    return arrived ? *arrived : ProcessWaits();
}

Ranks stuck(const std::vector<ProcessWaits> &processes, int world_size) {
    std::vector<const ProcessWaits *> all;
    for (const ProcessWaits &waits : processes)
        all.push_back(&waits);
    return ranks_that_never_continue(merged_graph(all, world_size));
}

TEST(ProcessWaits, ASendWaitsOnlyWhileItsEnvelopeIsQueued) {
    ProcessWaits sender{.first_rank = 0,
                        .graph = {{blocked({{Of::Envelope, 0}})}, {}},
                        .sends = {{1, 0, 77, 5}},
                        .queued = {},
                        .operations = {},
                        .begun = {},
                        .finalizing = {},
                        .polling = {},
                        .sent = {},
                        .taken = {}};
    ProcessWaits receiver = sender;
    receiver.first_rank = 1;
    receiver.graph = {{blocked({{Of::Rank, 0}})}, {}};
    receiver.sends.clear();
    EXPECT_EQ(stuck({sender, receiver}, 2), Ranks());
    for (WaitingEnvelope other : {WaitingEnvelope{1, 0, 77, 6}, WaitingEnvelope{1, 2, 77, 5}}) {
        receiver.queued = {other};
        EXPECT_EQ(stuck({sender, receiver}, 2), Ranks());
    }
    receiver.queued.push_back(sender.sends[0]);
    EXPECT_EQ(stuck({sender, receiver}, 2), Ranks({0, 1}));
}

TEST(ProcessWaits, AnOperationWaitsForThoseThatHaveNotBegunIt) {
    ProcessWaits waiting;
    waiting.graph = {{blocked({{Of::Operation, 0}})}, {}};
    waiting.operations = {{.context = 9, .number = 4}};
    waiting.begun = {{9, 0, 5}};
    ProcessWaits other;
    other.first_rank = 1;
    other.graph = {{blocked({{Of::Rank, 0}})}, {}};
    for (uint32_t begun : {3U, 4U, 5U, 6U}) {
        other.begun = {{8, 1, 0}, {9, 1, begun}};
        EXPECT_EQ(stuck({waiting, other}, 2), begun <= 4 ? Ranks({0, 1}) : Ranks()) << begun;
    }
    other.begun = {{9, 1, 4}};
    waiting.operations[0].needed = 0;
    waiting.graph.groups = {{0}}; // it needs only itself, and goes on
    EXPECT_EQ(stuck({waiting, other}, 2), Ranks());
    waiting.graph.groups = {{1}};
    EXPECT_EQ(stuck({waiting, other}, 2), Ranks({0, 1}));
    waiting.operations[0].needed = 1; // of a damaged text
    EXPECT_EQ(stuck({waiting, other}, 2), Ranks());
}

// Ranks 0, 1 and 2, one in each process, gather: 0 awaits the packet of 1, and 1 that of 2.
TEST(ProcessWaits, AnAwaitedPacketWaitsForTheOneThatRunsTheOperationThere) {
    std::vector<ProcessWaits> processes(3);
    for (int rank = 0; rank < 2; ++rank) {
        ProcessWaits &waits = processes[static_cast<size_t>(rank)];
        waits.first_rank = rank;
        waits.graph = {{blocked({{Of::Operation, 0}})}, {{rank + 1}}};
        waits.operations = {
            {.context = 9, .number = 4, .waiter = rank, .needed = 0, .sends = true}};
        waits.begun = {{9, rank, 5}};
    }
    processes[2].first_rank = 2;
    processes[2].graph = {{blocked({{Of::Rank, 0}})}, {}};
    processes[2].begun = {{9, 2, 4}};
    EXPECT_EQ(stuck(processes, 3), Ranks({0, 1, 2}));
    processes[1].operations[0].number = 5; // a later one: it has sent its packet
    processes[1].begun[0].begun = 6;
    EXPECT_EQ(stuck(processes, 3), Ranks());
    processes[1].operations[0].number = 4;
    processes[1].begun[0].begun = 5;
    processes[0].operations[0].sends = false;
    EXPECT_EQ(stuck(processes, 3), Ranks());
}

TEST(ProcessWaits, RanksOfAProcessThatSaysNothingAreFree) {
    ProcessWaits waits;
    waits.graph = {{blocked({{Of::Rank, 1}})}, {}};
    const std::vector<const ProcessWaits *> all{&waits, nullptr};
    EXPECT_EQ(ranks_that_never_continue(merged_graph(all, 2)), Ranks());
}

TEST(ProcessWaits, WhatWasSentBeforeTheFirstReadingIsTakenBeforeTheSecond) {
    ProcessWaits first, second;
    first.sent = {0, 7};
    second.taken = {6, 0};
    const std::vector<const ProcessWaits *> firsts{&first, nullptr}, seconds{nullptr, &second};
    EXPECT_FALSE(all_is_taken(firsts, seconds, {0}, {1}));
    second.taken[0] = 7;
    EXPECT_TRUE(all_is_taken(firsts, seconds, {0}, {1}));
    EXPECT_FALSE(all_is_taken(firsts, seconds, {0, 1}, {0, 1})); // process 1 said nothing first
}

TEST(ProcessWaits, DamagedTextsAreRefusedOrHarmless) {
    ProcessWaits waits;
    waits.graph = {{blocked({{Of::Rank, 1}, {Of::AnyOfGroup, 0}}, false)}, {{0, 1}}};
    waits.queued = {{0, 1, 2, 3}};
    const std::string whole = waits_to_text(waits);
    for (size_t size = 0; size < whole.size(); ++size)
        EXPECT_FALSE(waits_from_text(whole.substr(0, size)));
    EXPECT_FALSE(waits_from_text(whole + "x"));
    ProcessWaits wrong = waits;
    wrong.graph.groups[0][1] = 5000;
    EXPECT_EQ(stuck({wrong}, 2), Ranks());
    wrong = waits;
    wrong.graph.nodes[0].waits[0].needs = {{Of::AllOfGroup, 3}, {Of::Rank, -4}};
    EXPECT_EQ(stuck({wrong}, 2), Ranks());
}

// A random graph of all ranks. A need of a rank in another process may be a send, whose envelope is
// queued or, if that rank counts as free, under way.
WaitGraph random_graph(std::mt19937_64 &random, int ranks) {
    auto below = [&](int n) {
        return static_cast<int>(random() % static_cast<uint64_t>(n));
    };
    WaitGraph graph;
    for (int g = 0; g < 3; ++g) {
        graph.groups.push_back({below(ranks)});
        for (int rank = graph.groups.back()[0] + 1; rank < ranks; ++rank)
            if (below(2))
                graph.groups.back().push_back(rank);
    }
    for (int rank = 0; rank < ranks; ++rank) {
        WaitNode &node = graph.nodes.emplace_back();
        const int kind = below(10);
        node.state = kind == 0 ? State::Free : kind == 1 ? State::Gone : State::Blocked;
        if (node.state != State::Blocked)
            continue;
        Wait &wait = node.waits.emplace_back();
        wait.all = below(2);
        for (int n = 1 + below(3); n > 0; --n) {
            const int of = below(4);
            wait.needs.push_back(of == 0   ? Need{Of::AnyOfGroup, below(3)}
                                 : of == 1 ? Need{Of::AllOfGroup, below(3)}
                                           : Need{Of::Rank, below(ranks)});
        }
    }
    return graph;
}

// Cuts the graph into processes of random sizes. About half of the needs of single ranks become
// sends with a queued envelope.
std::vector<ProcessWaits> cut(const WaitGraph &graph, std::mt19937_64 &random) {
    std::vector<ProcessWaits> processes;
    std::vector<size_t> process_of;
    for (size_t rank = 0; rank < graph.nodes.size(); ++rank) {
        if (rank == 0 || random() % 2) {
            processes.emplace_back().first_rank = static_cast<int>(rank);
            processes.back().graph.groups = graph.groups;
        }
        processes.back().graph.nodes.push_back(graph.nodes[rank]);
        process_of.push_back(processes.size() - 1);
    }
    uint64_t sender = 0;
    for (size_t i = 0; i < processes.size(); ++i)
        for (WaitNode &node : processes[i].graph.nodes)
            for (Wait &wait : node.waits)
                for (Need &need : wait.needs)
                    if (need.of == Of::Rank && random() % 2) {
                        const WaitingEnvelope envelope{need.index, static_cast<int>(i), ++sender,
                                                       static_cast<uint32_t>(random())};
                        processes[process_of[static_cast<size_t>(need.index)]].queued.push_back(
                            envelope);
                        need = {Of::Envelope, static_cast<int>(processes[i].sends.size())};
                        processes[i].sends.push_back(envelope);
                    }
    return processes;
}

TEST(ProcessWaits, RandomGraphsSayTheSameInAnyDistribution) {
    const char *given = std::getenv("SEED");
    const uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
    std::mt19937_64 random(seed);
    size_t with_stuck = 0, without = 0;
    for (int i = 0; i < 20'000; ++i) {
        const int ranks = 1 + static_cast<int>(random() % 12);
        const WaitGraph graph = random_graph(random, ranks);
        std::vector<ProcessWaits> processes = cut(graph, random);
        for (ProcessWaits &waits : processes)
            waits = sent(waits);
        const Ranks expected = ranks_that_never_continue(graph);
        ASSERT_EQ(stuck(processes, ranks), expected) << "SEED=" << seed << " graph " << i;
        ++(expected.empty() ? without : with_stuck);
    }
    EXPECT_GT(with_stuck, 1000U); // both outcomes have been tested
    EXPECT_GT(without, 1000U);
}

} // namespace
} // namespace thrum

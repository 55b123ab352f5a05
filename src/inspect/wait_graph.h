// Which ranks can never continue, as a pure function of what each of them waits for.
//
// A rank is free if it is not blocked, or if one of its threads can continue. A thread can continue
// if the ranks that it waits for can still do what it needs: if they are free. All other blocked
// ranks only wait for each other, or for ranks that have ended. This is the smallest set of free
// ranks, and so the largest set of deadlocked ones.
#pragma once
#include <cstdint>
#include <vector>

namespace thrum {

// One operation that a thread waits for.
struct Need {
    enum class Of : uint8_t {
        Rank,       // rank number `index` must act
        AnyOfGroup, // some rank of group `index`
        AllOfGroup, // every rank of group `index`
        Envelope,   // the last two: see process_waits.h; not in a graph that is examined
        Operation,
    };
    Of of = Of::Rank;
    int index = 0;
};

// What one blocked thread waits for. Without needs it can always continue.
struct Wait {
    bool all = true; // it needs all of `needs`; otherwise one of them
    std::vector<Need> needs;
};

// A rank.
struct WaitNode {
    enum class State : uint8_t {
        Free,    // computes, polls, or waits for something unknown
        Blocked, // each thread that may act is in `waits`
        Gone,    // has ended or is finalized: it does nothing any more, and waits for nothing
    };
    State state = State::Free;
    std::vector<Wait> waits; // not empty if blocked
};

struct WaitGraph {
    std::vector<WaitNode> nodes;          // by rank
    std::vector<std::vector<int>> groups; // ranks, each at most once in a group
};

// Returns the ranks that can never continue, in order. Takes time in proportion to the graph.
std::vector<int> ranks_that_never_continue(const WaitGraph &graph);

// Returns whether one of these ranks waits for one that has ended.
bool waits_for_the_ended(const WaitGraph &graph, const std::vector<int> &ranks);

} // namespace thrum

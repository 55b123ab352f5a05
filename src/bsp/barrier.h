// Barrier: where all processes of a machine meet. They announce which superstep they end, and how.
//
// The processes of a node process count themselves. Node processes meet in a tree
// (exchange/process_tree.h): each tells its parent when all its processes have come and all its
// children have told it; the root then lets all go. Along with that goes how many operations of the
// superstep have been sent to each process from elsewhere, so that it knows for what it has to
// wait: 2 (node processes - 1) messages.
#pragma once
#include "base/spinlock.h"
#include "bsp/mistake.h"
#include "fiber/task.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace thrum::bsp {

struct Machine;
struct Node;

struct Announcement {
    uint64_t superstep = 0;
    bool is_end = false; // bsp_end
    uint64_t digest = 0; // of registrations
    int pid = 0;         // who says so
    Place place;
};

// A node process's place in the tree.
struct TreePlace {
    int parent = -1; // number of the node process; -1: this is the root
    std::vector<int> children;
    // Under Barrier::lock
    int told = 0; // children that have
    std::vector<uint32_t> sums;
    // By pid: operations from elsewhere in the superstep that has ended last. Written before
    // Barrier::passed [barrier-1], read after it.
    std::vector<uint32_t> totals;
};

struct alignas(64) Barrier {
    SpinLock lock;     // guards all that follows; held for a few instructions
    int expected = 0;  // processes of this node process
    int arrived = 0;   // of them
    Announcement said; // by the first one, or the first child
    TaskList waiters;
    std::atomic<uint64_t> passed{0}; // times that all have come; read without the lock
    TreePlace *tree = nullptr;       // nullptr: all processes are in this node process
};

// Returns when all processes have called it.
void meet_all(Node &node, bool is_end) MAY_SUSPEND;
// Operations of this superstep that come to `node` from other node processes; after meet_all().
int64_t operations_from_elsewhere(const Node &node);

// The processes of `machine` are in several node processes.
void join_tree(Machine &machine);
// A child, or the parent, has told: of arrive functions.
void child_has_told(Machine &machine, const Announcement &theirs,
                    std::span<const uint32_t> sums) MAY_SUSPEND;
void parent_has_told(Machine &machine, std::span<const uint32_t> totals) MAY_SUSPEND;

} // namespace thrum::bsp

// The state of a machine's barrier (barrier.h).
#pragma once
#include "base/node_process.h"
#include "base/spinlock.h"
#include "bsp/place.h"
#include "fiber/task.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace thrum::bsp {

// What a process announces: those of one barrier must be equal, apart from pid and place.
struct Announcement {
    uint64_t superstep = 0;
    bool is_end = false; // bsp_end
    uint64_t digest = 0; // of its registrations
    int pid = 0;         // the announcing process
    Place place;
};

// A node process's place in the tree.
struct TreePlace {
    NodeProcess parent; // no_process: this is the root
    std::vector<NodeProcess> children;
    // Under Barrier::lock
    int told = 0; // children that have reported
    // By pid: operations sent to it from this part of the tree.
    std::vector<uint32_t> sums;
    // By pid: operations from other node processes in the superstep that ended last. Written before
    // Barrier::passed [barrier-1], read after it.
    std::vector<uint32_t> totals;
};

// All processes of this node process use it.
struct alignas(64) Barrier {
    SpinLock lock;     // guards all that follows; held for a few instructions
    int expected = 0;  // processes of this node process
    int arrived = 0;   // processes that have arrived
    Announcement said; // by the first process, or the first child
    TaskList waiters;
    std::atomic<uint64_t> passed{0}; // how often it was opened; read without the lock
    TreePlace *tree = nullptr;       // nullptr: all processes are in this node process
};

} // namespace thrum::bsp

// What a machine keeps of its barrier (barrier.h).
#pragma once
#include "base/node_process.h"
#include "base/spinlock.h"
#include "bsp/place.h"
#include "fiber/task.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace thrum::bsp {

struct Announcement {
    uint64_t superstep = 0;
    bool is_end = false; // bsp_end
    uint64_t digest = 0; // of registrations
    int pid = 0;         // of the process that announces
    Place place;
};

// A node process's place in the tree.
struct TreePlace {
    NodeProcess parent; // no_process: this is the root
    std::vector<NodeProcess> children;
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

} // namespace thrum::bsp

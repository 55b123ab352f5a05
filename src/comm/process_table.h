// The table of the job's processes, by world rank. Internal to comm.
#pragma once
#include <atomic>

namespace thrum {

struct Process;

// Written by create_processes() before any rank runs, then read only, but for `count`.
struct ProcessTable {
    Process *processes = nullptr;
    int first_count = 0; // of the ranks with which the job was started
    int end = 0;         // numbers that there is room for
    int local_begin = 0; // the first ones in this node process
    int local_end = 0;
    std::atomic<int> count{0}; // with those that were added
};

extern constinit ProcessTable the_processes;

} // namespace thrum

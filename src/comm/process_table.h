// The table of the job's processes, by world rank. Internal to comm; others use comm/process.h.
#pragma once
#include <atomic>

namespace thrum {

struct Process;

// Written by create_processes() before any rank runs, then read-only except for `count`.
struct ProcessTable {
    Process *processes = nullptr; // `end` places, adjacent in memory
    int first_count = 0;          // number of initial ranks of the job
    int end = 0;                  // places in the table
    int local_begin = 0;          // initial ranks of this node process: [local_begin, local_end)
    int local_end = 0;
    std::atomic<int> count{0}; // includes added processes
};

extern constinit ProcessTable the_processes;

} // namespace thrum

// The table of the job's processes, by world rank. Internal to comm.
#pragma once
#include <atomic>

namespace thrum {

struct Process;

// Written by create_processes() before any rank runs, then read-only except for `count`.
struct ProcessTable {
    Process *processes = nullptr;
    int first_count = 0; // number of initial ranks of the job
    int end = 0;         // numbers that the table has room for
    int local_begin = 0; // where this node process's initial ranks begin
    int local_end = 0;
    std::atomic<int> count{0}; // includes added processes
};

extern constinit ProcessTable the_processes;

} // namespace thrum

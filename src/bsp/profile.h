// Profile: what a process has done in each superstep, and what the cost model says of it (mpiexec
// --bsp-report). The model (L. Valiant, "A bridging model for parallel computation", 1990): a
// superstep takes w + g h + l, where w is the longest computation of a process, h the most bytes
// that a process sends or receives, and g and l belong to the machine. They are measured when the
// program is at its end.
#pragma once
#include "base/may_suspend.h"

#include <cstdint>
#include <vector>

namespace thrum::bsp {

struct Node;
struct Machine;

struct SuperstepRecord {
    int64_t work_ns = 0;  // from the end of the synchronisation before to its own
    int64_t total_ns = 0; // and the synchronisation at its end
    uint64_t bytes_in = 0;
    uint64_t bytes_out = 0;
    bool counted = false;
};

struct CostParameters {
    double g_ns = 0;       // for each byte
    double global_ns = 0;  // l of a superstep that is ended globally
    double counted_ns = 0; // by counting, with one message from a neighbour
};

struct Profile {
    std::vector<SuperstepRecord> records;
    int64_t begun_ns = 0;         // this superstep
    int64_t synchronising_ns = 0; // since then
};

bool is_profile_wanted();
// All processes together, when all have ended their last superstep. The first one writes the table
// and the picture.
void finish_profile(Node &node) MAY_SUSPEND;

} // namespace thrum::bsp

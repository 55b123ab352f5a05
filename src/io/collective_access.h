// Collective buffering (MPI 5.0 section 14.2.8): accesses of many ranks that interleave in the file
// become few large ones. The ranks share an address space, so nothing is exchanged: a few of them,
// the aggregators, move all data straight between the file and the memory of their owners.
//
//   file        |  chunk 0  |  chunk 1  |  chunk 2  |  chunk 3  |      cb_block_size each
//   aggregator       0            1           0           1             dealt out in turn
//   of a chunk    rank 0 1 2 0 1 2 ...: pieces of all ranks, sorted, then written in one go
//
// Life of a collective write: README.md.
#pragma once
#include "io/access.h"

#include <vector>

namespace thrum {

// What one collective access needs besides the accesses. The rank that arrives last writes it; then
// the aggregators read it, and write only `result`. One per open file, reused by each access.
struct CollectivePlan {
    bool by_aggregators = false; // false: each rank does its own access
    int aggregators = 1;
    Offset first = 0;               // the range of the file that is accessed; begins at a chunk
    Offset end = 0;                 // not rounded: the end of the last access
    Offset chunk_bytes = 1;         // cb_block_size
    Offset pass_bytes = 1;          // of a chunk, moved at a time; at most chunk_bytes
    std::vector<Access *> accesses; // those that move anything; owned by their ranks
    SpinLock result_lock;
    TransferResult result; // of all aggregators, merged; guarded by result_lock
};

// The range of the file that an access touches, from its first byte to the end of its last.
struct Extent {
    Offset first;
    Offset end;
};

// Returns the extent of a span, which is not empty and whose view is monotone.
Extent extent_of(const Span &span);
// Returns whether the file's mode and hints, and the views, permit that aggregators do the
// accesses.
bool may_aggregate(const OpenFile &file, const std::vector<Access *> &accesses);
// Returns whether aggregation is worth it: accesses interleave or are small. Sorts the extents.
bool gains_by_aggregation(std::vector<Extent> &extents, size_t total_bytes);

// Returns how many ranks of the file can be aggregators; how many processes, if its ranks are in
// several.
int aggregators_of(const OpenFile &file);

// Decides how `accesses` are done. An element is nullptr if the rank's arguments were wrong.
void make_plan(CollectivePlan &plan, const OpenFile &file, const std::vector<Access *> &accesses);

// Does the part of aggregator `number`, from 0 to plan.aggregators - 1. Blocks in the kernel.
TransferResult move_part(const CollectivePlan &plan, OpenFile &file, bool writing, int number);

} // namespace thrum

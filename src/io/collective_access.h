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

// What one collective access needs beside the accesses. Belongs to the rank that arrives last while
// it makes it, then to the aggregators, each to its own part.
struct CollectivePlan {
    bool by_aggregators = false; // aggregators do it; otherwise each rank does its own part
    int aggregators = 1;
    Offset first = 0; // the range of the file that is accessed, from a chunk's beginning
    Offset end = 0;
    Offset chunk_bytes = 1;
    Offset pass_bytes = 1;          // of a chunk, moved at a time
    std::vector<Access *> accesses; // those that move anything
    SpinLock result_lock;
    TransferResult result; // of all aggregators; guarded by result_lock
};

// The range of the file that an access touches, from its first byte to the end of its last.
struct Extent {
    Offset first;
    Offset end;
};

Extent extent_of(const Span &span);
// Whether the file, as it is now, and the views permit that others do the accesses.
bool may_aggregate(const OpenFile &file, const std::vector<Access *> &accesses);
// Whether anything is gained by it: accesses interleave or are small. Sorts.
bool gains_by_aggregation(std::vector<Extent> &extents, size_t total_bytes);

// How many ranks of the file can be aggregators at a time; of a file whose ranks are in several
// processes: how many processes.
int aggregators_of(const OpenFile &file);

// Decides how `accesses` (nullptr: a rank whose arguments were wrong) are done.
void make_plan(CollectivePlan &plan, const OpenFile &file, const std::vector<Access *> &accesses);

// The part of aggregator `number`.
TransferResult move_part(const CollectivePlan &plan, OpenFile &file, bool writing, int number);

} // namespace thrum

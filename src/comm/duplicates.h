// Duplicates: how the members of a communicator that duplicate it find the same new context without
// waiting for each other (MPI_Comm_dup, MPI_Comm_idup). All members duplicate it in the same order
// (section 6.12), so the n-th duplicate of one is the n-th of all. The first member to come makes
// the context, and the last one takes it out of the queue.
#pragma once
#include "comm/communicator.h"

#include <deque>

namespace thrum {

// The duplicates of a context that not all members have asked for yet, in the order of their
// numbers. The first entry is always the first one to be complete. The queue is as long as the
// fastest member is ahead of the slowest, perhaps thousands. So entries are found by number and not
// by search.
struct Duplicates {
    struct Entry {
        Context *context;
        int missing; // number of members that have not asked for it
    };

    std::deque<Entry> entries;
    uint32_t first = 0; // number of the first entry
};

// Returns the context of the calling member's next duplicate. One of its members (new_context) is
// the caller's. If it spans node processes, its id must still be agreed with them. Any member,
// without waiting.
Context &next_duplicate(Communicator &comm);

// Frees the queue, with the last member of the communicator. Contexts live on by themselves.
void free_duplicates(Duplicates *duplicates);

} // namespace thrum

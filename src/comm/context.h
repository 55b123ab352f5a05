// Context: what all members of a communicator share in this process. Each member's object refers to
// it (comm/communicator.h); the last one frees it.
#pragma once
#include "base/spinlock.h"

#include <atomic>
#include <cstdint>

namespace thrum {

struct Duplicates;        // comm/duplicates.h
struct Meeting;           // meeting/meeting.h
struct ProcessMap;        // comm/span.h
struct UnmatchedChannels; // pt2pt/partitioned.cc

struct Context {
    uint32_t id = 0;             // context id of point-to-point messages
    std::atomic<int> members{0}; // objects that refer to it, or will; the last one frees it
    // Where collective operations meet. It is made with the context, but for a single member only
    // when needed.
    Meeting *meeting = nullptr;

    SpinLock duplicates_lock;         // guards the following
    Duplicates *duplicates = nullptr; // not yet taken by all members; allocated when first needed

    SpinLock unmatched_lock; // guards the following
    // partitioned communication; allocated when first needed
    UnmatchedChannels *unmatched = nullptr;

    ProcessMap *span = nullptr; // set if its members are in several node processes
};

// Makes a context for `members` objects: each new_communicator() takes one of them, and each object
// releases it at its end. It gets its own context id and a meeting (if the layer meeting is
// linked).
Context *new_context(int members);
// Makes one with a given context id (comm/span.h).
Context *new_context_with(uint32_t id, int members);

// Returns a context id that no other communicator of this process has. Ids are even; id + 1 is for
// messages that the library itself sends on the communicator. Of their tags, those from
// library_tag_neighbor on belong to neighbourhood collectives.
inline constexpr int library_tag_neighbor = 1 << 30;
uint32_t new_context_id();

// The bit that marks context ids of communicators that span node processes (comm/span.h).
inline constexpr uint32_t spanning_bit = 1u << 31;

// Functions that make and free meetings. The layer meeting installs them in a [[gnu::constructor]],
// before any context is made. Both are nullptr in tests that do not link coll.
struct MeetingFunctions {
    Meeting *(*make)(int members) = nullptr;
    void (*free)(Meeting *meeting) = nullptr;
};

void set_meeting_functions(const MeetingFunctions &functions);
const MeetingFunctions &meeting_functions();

} // namespace thrum

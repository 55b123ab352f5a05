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
    std::atomic<int> members{0}; // objects that will refer to it or do; the last one frees it
    // Where collective operations meet; made with the context, or if it has one member when needed.
    Meeting *meeting = nullptr;

    SpinLock duplicates_lock;         // guards what follows
    Duplicates *duplicates = nullptr; // not yet asked for by all members; made when first needed

    SpinLock unmatched_lock;                // guards what follows
    UnmatchedChannels *unmatched = nullptr; // partitioned communication; made when first needed

    ProcessMap *span = nullptr; // its members are in several node processes; else nullptr
};

// A context for `members` objects: each new_communicator() takes one of them, each object's end
// gives it up. Has a context id of its own and a meeting (if the layer meeting is linked).
Context *new_context(int members);
// The same with a context id that is given (comm/span.h).
Context *new_context_with(uint32_t id, int members);

// A context id that no other communicator of this process has. Ids are even; id + 1 is for messages
// that the library itself sends on the communicator. Their tags: from library_tag_neighbor on those
// of neighbourhood collectives.
inline constexpr int library_tag_neighbor = 1 << 30;
uint32_t new_context_id();

// Context ids of communicators that span node processes have this bit (comm/span.h).
inline constexpr uint32_t spanning_bit = 1u << 31;

// How meetings are made and freed: the layer meeting says so in a constructor of its own (with
// [[gnu::constructor]], before any context is made). Both nullptr in tests that link no coll.
struct MeetingFunctions {
    Meeting *(*make)(int members) = nullptr;
    void (*free)(Meeting *meeting) = nullptr;
};

void set_meeting_functions(const MeetingFunctions &functions);
const MeetingFunctions &meeting_functions();

} // namespace thrum

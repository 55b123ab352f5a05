// Context: what all members of a communicator share in this process. Each member's object refers to
// it (comm/communicator.h); the last one frees it. Its id distinguishes messages of different
// communicators (match/).
#pragma once
#include "base/extension.h"
#include "base/spinlock.h"

#include <atomic>
#include <cstdint>

namespace thrum {

struct Duplicates; // comm/duplicates.h
struct ProcessMap; // comm/span.h

// Made before any member's object. `id` and `span` do not change once a member uses it.
struct Context {
    uint32_t id = 0;                  // context id of point-to-point messages
    std::atomic<int> members{0};      // objects that refer to it, or will; the last one frees it
    SpinLock duplicates_lock;         // guards the following
    Duplicates *duplicates = nullptr; // not yet taken by all members; made when first needed

    ProcessMap *span = nullptr; // set if its members are in several node processes

    // Of layers above; a context begins with a meeting (meeting/meeting.h).
    static constexpr int extensions_max = 2;
    Extensions<Context, extensions_max> extensions;
};

// Makes a context for `members` objects: each new_communicator() takes one of them, and each object
// releases it at its end. It gets its own context id.
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

} // namespace thrum

// Members that do not do the same thing (section 6.1: all processes of the group call the same
// collective operations in the same order, with matching arguments): the sentences about them.
#pragma once
#include "base/error.h"
#include "comm/communicator.h"
#include "meeting/meeting.h"

namespace thrum {

// Two members that do not do the same thing.
struct Dispute {
    enum class Kind : uint8_t { Calls, Sizes, Roots };
    Kind kind = Kind::Calls;
    uint64_t calls[2];    // announcements, in the order of members
    size_t size_bytes[2]; // Sizes: what they contribute
};

// The sentence about two members of a non-blocking operation, or of one between processes.
Error disagreement(const Communicator &comm, const Dispute &dispute);
// The sentence about a round that is disputed.
[[gnu::cold]] Error round_disagreement(const Communicator &comm, const Round &round);

} // namespace thrum

// Error texts for members that do different things. Section 6.1: all processes of the group call
// the same collective operations in the same order, with matching arguments.
#pragma once
#include "base/error.h"
#include "base/spinlock.h"
#include "comm/communicator.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace thrum {

// Two members that do different things.
struct Dispute {
    enum class Kind : uint8_t { Calls, Sizes, Roots, Types, Order };
    Kind kind = Kind::Calls;
    uint64_t calls[2];    // announcements, in the order of members
    size_t size_bytes[2]; // for sizes: the contributions
    std::string sentence; // for types and order
};

// Holds the first dispute that any member finds. All members report that one.
class DisputeRecord {
public:
    void record(const Dispute &found);

    // Returns the dispute; nullptr: none so far.
    const Dispute *get() const {
        return state_.load(std::memory_order_acquire) == 2 ? &dispute_ : nullptr; // [dispute-1]
    }

    void clear() { state_.store(0, std::memory_order_relaxed); }

private:
    std::atomic<int> state_{0}; // 0, 1: being written, 2: written
    Dispute dispute_;
};

// A member as users know it: "rank 3", or "rank 3 of the remote group".
struct MemberName {
    MemberName(const Communicator &comm, int member);

    int side; // of an inter-communicator; otherwise 0
    int rank; // in the group of that side
    char text[48];
};

// Returns the error about two members of a non-blocking operation, or of one between processes.
Error disagreement(const Communicator &comm, const Dispute &dispute);
// Returns the same for an error that begins with the operation's name.
Error disagreement_within(const Communicator &comm, const Dispute &dispute);
// Returns the error about two members in a round (meeting/round.h).
[[gnu::cold]] Error round_disagreement(const Communicator &comm, const Dispute &dispute);

} // namespace thrum

// What a member has called on a communicator that spans node processes, in one word:
// Communicator::spanning_operations has the number of its blocking collective operations in its
// lower bits, and the last one (meeting/collective.h) in its upper bits.
#pragma once
#include "comm/communicator.h"

namespace thrum {

inline constexpr int blocking_calls_bits = 26;
inline constexpr uint32_t blocking_calls_mask = (1u << blocking_calls_bits) - 1;

// Returns how many it has called, modulo 2^26.
inline uint32_t blocking_calls(const Communicator &comm) {
    return comm.spanning_operations & blocking_calls_mask;
}

// Returns how many calls `later` is after `earlier`, both from blocking_calls(); negative: before.
inline int32_t blocking_calls_between(uint32_t earlier, uint32_t later) {
    constexpr int unused_bits = 32 - blocking_calls_bits;
    return static_cast<int32_t>((later - earlier) << unused_bits) >> unused_bits;
}

// Returns the last one, as a number.
inline uint32_t last_blocking_call(const Communicator &comm) {
    return comm.spanning_operations >> blocking_calls_bits;
}

// Counts one more.
inline void count_blocking_call(Communicator &comm, uint32_t collective) {
    comm.spanning_operations =
        collective << blocking_calls_bits | ((blocking_calls(comm) + 1) & blocking_calls_mask);
}

} // namespace thrum

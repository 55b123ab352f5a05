// Attention: the word by which processes of a node know whether one of them has to be woken, and on
// which its listener sleeps: one futex hand-over for a message to a process that waits.
//
//   Awake --listener is about to sleep--> Listening --somebody rings--> Rung
//     ^-------------------------listener is back-------------------------+
//
// Invariants
// 1. Only the listener writes Listening and Awake; whoever rings makes Rung of Listening.
// 2. The listener writes Listening before it looks for packets the last time; a sender publishes a
//    packet before it looks at this word. One of the two sees the other ([attention-1]).
#pragma once
#include <atomic>
#include <cstdint>

namespace thrum {

enum class AttentionState : uint32_t { Awake, Listening, Rung };

struct Attention {
    std::atomic<AttentionState> state; // a futex that processes share

    // True if the caller is the one who has to wake(). After a seq_cst store of what is rung for.
    bool ring() {
        if (state.load(std::memory_order_seq_cst) != AttentionState::Listening) // [attention-1]
            return false;
        AttentionState expected = AttentionState::Listening;
        return state.compare_exchange_strong(expected, AttentionState::Rung,
                                             std::memory_order_relaxed, std::memory_order_relaxed);
    }

    void wake();
    // While the state is Listening; may return early.
    void sleep(int64_t timeout_ns);
};

} // namespace thrum

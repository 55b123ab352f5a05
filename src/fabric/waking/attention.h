// Attention: the word on which a process's listener sleeps, and which tells other processes of the
// node whether they must wake it. A message to a waiting process costs one futex hand-over.
//
//   Awake --listener is about to sleep--> Listening --a process rings--> Rung
//     ^-------------------------listener is back-------------------------+
//
// Invariants
// 1. Only the listener writes Listening and Awake; a process that rings changes Listening to Rung.
// 2. The listener writes Listening before it checks for packets the last time; a sender publishes a
//    packet before it reads this word. One of the two sees the other ([attention-1]).
#pragma once
#include <atomic>
#include <cstdint>

namespace thrum {

// The states of the diagram above.
enum class AttentionState : uint32_t { Awake, Listening, Rung };

struct Attention {
    std::atomic<AttentionState> state; // a futex that processes share

    // Returns true if the caller has to wake(). Call it after a seq_cst store of the data to be
    // seen.
    bool ring() {
        if (state.load(std::memory_order_seq_cst) != AttentionState::Listening) // [attention-1]
            return false;
        AttentionState expected = AttentionState::Listening;
        return state.compare_exchange_strong(expected, AttentionState::Rung,
                                             std::memory_order_relaxed, std::memory_order_relaxed);
    }

    // Wakes the listener by the futex.
    void wake();
    // Sleeps while the state is Listening; may return early.
    void sleep(int64_t timeout_ns);
};

} // namespace thrum

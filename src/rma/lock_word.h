// LockWord: who holds a lock of a window, in one word. It is a part of its WindowLock, or it is in
// memory that all processes of a node have mapped (rma/shared_lock.h).
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>

namespace thrum {

enum class LockMode : uint8_t { Shared, Exclusive };

class LockWord {
public:
    // Marks that keep some from taking the lock.
    static constexpr uint64_t queued = 1;  // requests wait
    static constexpr uint64_t exposed = 2; // the target has called MPI_Win_post

    // Takes the lock, unless a holder excludes the mode or one of the marks `unless` is set.
    // `several`: Exclusive holders do not exclude each other.
    bool enter(LockMode mode, bool several, uint64_t unless) {
        const uint64_t obstacles = excluding(mode, several) | unless;
        uint64_t state = state_.load(std::memory_order_relaxed);
        while (!(state & obstacles)) [[likely]]
            // acquire [window-lock-1]: sees what the last holders wrote.
            if (state_.compare_exchange_weak(state, state + one(mode), std::memory_order_acquire,
                                             std::memory_order_relaxed)) [[likely]]
                return true;
        return false;
    }

    // Releases the lock. Returns whether requests wait.
    bool leave(LockMode mode) {
        // release [window-lock-1]: the next holder sees what this one wrote.
        return (state_.fetch_sub(one(mode), std::memory_order_release) & queued) != 0;
    }

    // Releases it for `count` holders of a lost process, at most for those that there are.
    void leave_for(LockMode mode, uint64_t count) {
        uint64_t state = state_.load(std::memory_order_relaxed);
        while (!state_.compare_exchange_weak(
            state, state - one(mode) * std::min(count, holders(state, mode)),
            std::memory_order_relaxed)) {
        }
    }

    // The order of marks and holders is the word's own: both change it.
    void mark(uint64_t which) { state_.fetch_or(which, std::memory_order_relaxed); }

    void unmark(uint64_t which) { state_.fetch_and(~which, std::memory_order_relaxed); }

    // For checks: the caller has ordered its own question.
    bool is_held() const { return state_.load(std::memory_order_relaxed) >= one_shared; }

    bool is_held(LockMode mode) const {
        return holders(state_.load(std::memory_order_relaxed), mode) > 0;
    }

private:
    // The holders of mode Shared are counted from bit 2 on, those of mode Exclusive from bit 32 on.
    static constexpr uint64_t one_shared = 4, one_exclusive = uint64_t{1} << 32;

    static constexpr uint64_t one(LockMode mode) {
        return mode == LockMode::Shared ? one_shared : one_exclusive;
    }

    static uint64_t holders(uint64_t state, LockMode mode) {
        return mode == LockMode::Shared ? static_cast<uint32_t>(state) / one_shared
                                        : state / one_exclusive;
    }

    // Returns the bits that count the holders which exclude the mode.
    static constexpr uint64_t excluding(LockMode mode, bool several) {
        constexpr uint64_t any = ~(one_shared - 1), exclusive = ~(one_exclusive - 1);
        if (mode == LockMode::Shared)
            return exclusive;
        return several ? any & ~exclusive : any;
    }

    std::atomic<uint64_t> state_{0};
};

} // namespace thrum

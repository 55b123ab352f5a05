// WindowLock: shared or exclusive access to a target (MPI 5.0 section 12.5.3). Waiting tasks are
// parked and never poll. The rank that releases the lock makes the next ones holders before it
// wakes them.
//
// One word holds the number of holders and whether requests wait. A lock that is free is taken and
// released by one atomic operation each; only who must wait, or releases while others wait, takes
// the guard of the queue.
//
// Invariants
// 1. Requests are granted in the order of their arrival, with two exceptions. A request may
//    overtake if its process holds other locks of the window, because the ranks that it would wait
//    for may wait for those. When the whole process has become idle, everything is granted that the
//    holders do not exclude, so the order never causes a deadlock without a conflicting holder
//    (section 12.5.3). A window that spans node processes cannot detect idleness: its locks are
//    granted in any order, as soon as no holder excludes them.
// 2. The number of holders of one of the two modes is 0.
// 3. If the queue is not empty, `queued` is set. It is set before a request that goes to the queue
//    asks for the lock once more, so the holder that it would wait for sees it when it releases.
#pragma once
#include "base/spinlock.h"
#include "fiber/completion.h"
#include "rank/rank.h"

namespace thrum {

class WindowLock {
public:
    enum class Mode : uint8_t { Shared, Exclusive };

    // `several`: Exclusive holders exclude only Shared ones, not each other. For the lock of the
    // whole window.
    WindowLock() : WindowLock(false) {}

    explicit WindowLock(bool several) : several_(several) {}

    // A request that waits for its turn: of a task here (on its stack), or for a rank in another
    // process.
    struct Waiter {
        Completion granted;
        Mode mode = Mode::Shared;
        // Called instead of completing `granted`, by the thread that releases the lock. It may free
        // the waiter.
        void (*grant)(Waiter &waiter) = nullptr;
        Waiter *next = nullptr;
    };

    // Makes it a lock of a window that spans processes (invariant 1). Must be called before the
    // first use.
    void grant_in_any_order() { ordered_ = false; }

    // Takes the lock if that needs no wait.
    bool try_acquire(Mode mode, bool overtake) {
        uint64_t state = state_.load(std::memory_order_relaxed);
        while (may_enter(state, mode, overtake)) [[likely]]
            if (add_holder(state, mode)) [[likely]]
                return true;
        return false;
    }

    // Takes the lock; `blockage` describes the wait for reports. Returns true if it had to wait.
    bool acquire(Mode mode, bool overtake, const Blockage &blockage) MAY_SUSPEND;
    // Returns true if the lock is held at once. Otherwise `waiter`, which must have a `grant`, is
    // in the queue and is granted later.
    bool acquire_or_queue(Waiter &waiter, bool overtake);

    // Releases the lock and wakes the requests that may follow.
    void release(Mode mode) MAY_SUSPEND {
        // release [window-lock-1]: the next holder sees what this one wrote.
        if (state_.fetch_sub(one(mode), std::memory_order_release) & queued) [[unlikely]]
            grant_next();
    }

    // For checks: the caller has ordered its own question.
    bool is_held() const { return (state_.load(std::memory_order_relaxed) & ~queued) != 0; }

    bool is_held(Mode mode) const {
        return has_holder(state_.load(std::memory_order_relaxed), mode);
    }

    // Grants, out of order, what no holder excludes. Returns false if there was nothing to grant.
    bool grant_out_of_order() MAY_SUSPEND;

private:
    // The word: bit 0 is `queued`, then the holders of mode Shared, and from bit 32 on those of
    // mode Exclusive.
    static constexpr uint64_t queued = 1;
    static constexpr uint64_t one_shared = 2, one_exclusive = uint64_t{1} << 32;

    static uint64_t one(Mode mode) { return mode == Mode::Shared ? one_shared : one_exclusive; }

    static bool has_holder(uint64_t state, Mode mode) {
        return mode == Mode::Shared ? static_cast<uint32_t>(state) >= one_shared
                                    : state >= one_exclusive;
    }

    // Returns whether no holder excludes the mode.
    bool is_free_for(uint64_t state, Mode mode) const {
        if (mode == Mode::Shared || !several_)
            return (state & ~queued) < (mode == Mode::Shared ? one_exclusive : one_shared);
        return !has_holder(state, Mode::Shared);
    }

    // Returns whether a new request may take the lock before those that wait.
    bool may_enter(uint64_t state, Mode mode, bool overtake) const {
        return is_free_for(state, mode) && (!(state & queued) || overtake || !ordered_);
    }

    // Adds a holder if the word is still `state`; otherwise sets `state` to what it is.
    bool add_holder(uint64_t &state, Mode mode) {
        // acquire [window-lock-1]: sees what the last holders wrote.
        return state_.compare_exchange_strong(state, state + one(mode), std::memory_order_acquire,
                                              std::memory_order_relaxed);
    }

    // Adds a holder if none excludes the mode, whatever others do meanwhile.
    bool enter_if_free(Mode mode);
    [[gnu::cold]] void grant_next() MAY_SUSPEND;
    // Both take requests that no holder excludes from the queue, and make them holders. The first
    // stops at the first request that is excluded. The caller holds the guard.
    Waiter *take_free_in_order();
    Waiter *take_free();
    void note_end_of_queue(); // clears `queued` if nobody waits; the caller holds the guard
    // Wakes the requests of a list without the guard. Returns false if it is empty.
    static bool grant(Waiter *granted) MAY_SUSPEND;

    std::atomic<uint64_t> state_{0};
    const bool several_;
    bool ordered_ = true;
    SpinLock guard_;          // of the queue
    Waiter *first_ = nullptr; // in the order of arrival
    Waiter *last_ = nullptr;
};

} // namespace thrum

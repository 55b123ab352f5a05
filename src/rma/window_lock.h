// WindowLock: shared or exclusive access to a target (MPI 5.0 section 12.5.3). Waiting tasks are
// parked and never poll. The rank that releases the lock makes the next ones holders before it
// wakes them.
//
// Invariants
// 1. Requests are granted in the order of their arrival, with two exceptions. A request may
//    overtake if its process holds other locks of the window, because the ranks that it would wait
//    for may wait for those. When the whole process has become idle, everything is granted that the
//    holders do not exclude, so the order never causes a deadlock without a conflicting holder
//    (section 12.5.3). A window that spans node processes cannot detect idleness: its locks are
//    granted in any order, as soon as no holder excludes them.
// 2. The number of holders of one of the two modes is 0.
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

    // Takes the lock; `blockage` describes the wait for reports. Returns true if it had to wait.
    bool acquire(Mode mode, bool overtake, const Blockage &blockage) MAY_SUSPEND;
    // Returns true if the lock is held at once. Otherwise `waiter`, which must have a `grant`, is
    // in the queue and is granted later.
    bool acquire_or_queue(Waiter &waiter, bool overtake);
    // Releases the lock and wakes the requests that may follow.
    void release(Mode mode) MAY_SUSPEND;

    bool is_held() const { // for checks: the caller has ordered its own question
        return holders_[0].load(std::memory_order_relaxed) +
                   holders_[1].load(std::memory_order_relaxed) >
               0;
    }

    bool is_held(Mode mode) const {
        return holders_[static_cast<int>(mode)].load(std::memory_order_relaxed) > 0;
    }

    // Grants, out of order, what no holder excludes. Returns false if there was nothing to grant.
    bool grant_out_of_order() MAY_SUSPEND;

private:
    bool is_free_for(Mode mode) const;
    void add_holder(Mode mode, int count);
    // Both take requests that no holder excludes from the queue, and make them holders. The first
    // stops at the first request that is excluded. The caller holds the guard.
    Waiter *take_free_in_order();
    Waiter *take_free();
    // Wakes the requests of a list without the guard. Returns false if it is empty.
    static bool grant(Waiter *granted) MAY_SUSPEND;

    SpinLock guard_; // guards everything below
    const bool several_;
    bool ordered_ = true;
    std::atomic<int> holders_[2] = {0, 0}; // by Mode; read without the guard by is_held()
    Waiter *first_ = nullptr;              // in the order of arrival
    Waiter *last_ = nullptr;
};

} // namespace thrum

// WindowLock: who may access a target, shared or exclusively (MPI 5.0 section 12.5.3). Waiting
// tasks are parked; nobody polls.
//
// Invariants
// 1. Requests are granted in the order in which they came, except that
//    - a request may overtake (its process holds other locks of the window, and whom it would wait
//      for may wait for them), and
//    - when the whole process has come to rest, whatever the holders do not exclude is granted: the
//      order never makes a deadlock where there is no conflicting holder (section 12.5.3).
//    Windows that span node processes never know that all has come to rest: their locks are granted
//    in any order, whatever no holder excludes at once.
// 2. `holders` of one of the two modes is 0.
#pragma once
#include "base/spinlock.h"
#include "fiber/completion.h"
#include "rank/rank.h"

namespace thrum {

class WindowLock {
public:
    enum class Mode : uint8_t { Shared, Exclusive };

    // `several`: holders of Exclusive exclude those of Shared only, not each other.
    WindowLock() : WindowLock(false) {}

    explicit WindowLock(bool several) : several_(several) {}

    // A request that waits for its turn: of a task here, or for one in another process.
    struct Waiter {
        Completion granted;
        Mode mode = Mode::Shared;
        // Called in place of `granted`, by whoever releases; it may free the waiter.
        void (*grant)(Waiter &waiter) = nullptr;
        Waiter *next = nullptr;
    };

    // Before its first use.
    void grant_in_any_order() { ordered_ = false; }

    // True if it had to wait.
    bool acquire(Mode mode, bool overtake, const Blockage &blockage) MAY_SUSPEND;
    // True if the lock is held now; else `waiter`, which has a `grant`, will be told.
    bool acquire_or_queue(Waiter &waiter, bool overtake);
    void release(Mode mode) MAY_SUSPEND;

    bool is_held() const { // for checks: who asks has ordered his question himself
        return holders_[0].load(std::memory_order_relaxed) +
                   holders_[1].load(std::memory_order_relaxed) >
               0;
    }

    bool is_held(Mode mode) const {
        return holders_[static_cast<int>(mode)].load(std::memory_order_relaxed) > 0;
    }

    // Grants what no holder excludes, out of order. False if there is nothing to grant.
    bool grant_out_of_order() MAY_SUSPEND;

private:
    bool is_free_for(Mode mode) const;
    void add_holder(Mode mode, int count);
    // With the guard held: takes out of the queue what no holder excludes, and makes it a holder.
    Waiter *take_free_in_order();
    Waiter *take_free();
    static bool grant(Waiter *granted) MAY_SUSPEND;

    SpinLock guard_; // guards all that follows
    const bool several_;
    bool ordered_ = true;
    std::atomic<int> holders_[2] = {0, 0}; // by Mode; read without the guard by is_held()
    Waiter *first_ = nullptr;              // in the order of arrival
    Waiter *last_ = nullptr;
};

} // namespace thrum

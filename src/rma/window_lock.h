// WindowLock: shared or exclusive access to a target (MPI 5.0 section 12.5.3). Waiting tasks are
// parked and never poll. The rank that releases the lock makes the next ones holders before it
// wakes them.
//
// A LockWord holds the number of holders and whether requests wait. A lock that is free is taken
// and released by one atomic operation each; only who must wait, or releases while others wait,
// takes the guard of the queue.
//
// Invariants
// 1. Requests are granted in the order of their arrival, with two exceptions. A request may
//    overtake if its process holds other locks of the window, because the ranks that it would wait
//    for may wait for those. When the whole process has become idle, everything is granted that the
//    holders do not exclude, so the order never causes a deadlock without a conflicting holder
//    (section 12.5.3). A window that spans node processes cannot detect idleness: its locks are
//    granted in any order, as soon as no holder excludes them.
// 2. The number of holders of one of the two modes is 0.
// 3. If the queue is not empty, the word is marked. It is marked before a request that goes to the
//    queue asks for the lock once more, so the holder that it would wait for sees the mark when it
//    releases.
#pragma once
#include "base/spinlock.h"
#include "fiber/completion.h"
#include "rank/rank.h"
#include "rma/lock_word.h"

namespace thrum {

class WindowLock {
public:
    using Mode = LockMode;

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

    // Uses a word that other processes have mapped, too. Must be called before the first use.
    void share(LockWord &word) { word_ = &word; }

    // Takes the lock if that needs no wait.
    bool try_acquire(Mode mode, bool overtake) {
        return word_->enter(mode, several_, overtake || !ordered_ ? 0 : LockWord::queued);
    }

    // Do the same for a lock that no other process shares, in fewer instructions: without
    // overtaking, and not of an exposed target. `several`: as it was constructed. After a release
    // that returns true requests wait, and grant_next() must follow.
    template <Mode mode, bool several>
    bool try_acquire_own() {
        return own_word_.enter(mode, several, LockWord::queued | LockWord::exposed);
    }

    bool release_own(Mode mode) { return own_word_.leave(mode); }

    // Takes the lock; `blockage` describes the wait for reports. Returns true if it had to wait.
    bool acquire(Mode mode, bool overtake, const Blockage &blockage) MAY_SUSPEND;
    // Returns true if the lock is held at once. Otherwise `waiter`, which must have a `grant`, is
    // in the queue and is granted later.
    bool acquire_or_queue(Waiter &waiter, bool overtake);

    // Releases the lock and wakes the requests that may follow.
    void release(Mode mode) MAY_SUSPEND {
        if (word_->leave(mode)) [[unlikely]]
            grant_next();
    }

    // Wakes the requests that may follow, after another process has released the lock.
    [[gnu::cold]] void grant_next() MAY_SUSPEND;

    // Releases it for holders of a lost process.
    void release_for(Mode mode, uint32_t count) MAY_SUSPEND {
        word_->leave_for(mode, count);
        grant_next();
    }

    // For checks: the caller has ordered its own question.
    bool is_held() const { return word_->is_held(); }

    bool is_held(Mode mode) const { return word_->is_held(mode); }

    // Notes for other processes whether the target is between MPI_Win_post and MPI_Win_wait.
    void note_exposed(bool is_exposed) {
        is_exposed ? word_->mark(LockWord::exposed) : word_->unmark(LockWord::exposed);
    }

    const LockWord *word() const { return word_; }

    // Grants, out of order, what no holder excludes. Returns false if there was nothing to grant.
    bool grant_out_of_order() MAY_SUSPEND;

private:
    // Both take requests that no holder excludes from the queue, and make them holders. The first
    // stops at the first request that is excluded. The caller holds the guard.
    Waiter *take_free_in_order();
    Waiter *take_free();
    void note_end_of_queue(); // removes the mark if nobody waits; the caller holds the guard
    // Wakes the requests of a list without the guard. Returns false if it is empty.
    static bool grant(Waiter *granted) MAY_SUSPEND;

    // Adds a holder if none excludes the mode, whoever waits.
    bool enter_if_free(Mode mode) { return word_->enter(mode, several_, 0); }

    LockWord own_word_;
    LockWord *word_ = &own_word_;
    const bool several_;
    bool ordered_ = true;
    SpinLock guard_;          // of the queue
    Waiter *first_ = nullptr; // in the order of arrival
    Waiter *last_ = nullptr;
};

} // namespace thrum

// Completion: one word that says whether an operation is done. One task may wait on it.
//
//   word = 0          pending
//        = task | 4   pending, and this task waits
//        = task       the same, but interrupt() may end the wait
//        = group | 2  pending, and a WaitGroup counts it
//        = 1          done
//
// WaitGroup: lets one task wait for several completions, or combines several into one. A task that
// waits for a single completion does not pay for groups.
#pragma once
#include "base/held_locks.h"
#include "base/spinlock.h"
#include "fiber/hand_over.h"
#include "fiber/task.h"

#include <atomic>
#include <cstdint>

namespace thrum {

class WaitGroup;

// Sets the function that reports that two tasks wait for one completion, as two threads of a
// program do that wait for one request. It must end the job.
using SecondWaiterFunction = void();
void set_second_waiter_function(SecondWaiterFunction *function);

class Completion {
public:
    // acquire [completion-1]: what the completer wrote is visible.
    bool done() const { return word_.load(std::memory_order_acquire) == done_value; }

    // Marks the operation as done. Called once, by the task that finishes it. Afterwards the object
    // may be freed.
    void complete() {
        if (uintptr_t waiter = finish())
            wake(waiter);
    }

    // Does the same for a caller that expects to wait soon itself: the waiting task, if there is
    // one, runs next on the caller's worker (hand_over.h).
    void complete_and_hand_over() {
        uintptr_t waiter = finish();
        if (waiter & group_bit) [[unlikely]]
            wake(waiter);
        else if (waiter != 0)
            hand_over(*reinterpret_cast<Task *>(waiter));
    }

    // Does the same, but appends the waiting task, if there is one, to `awake`, for
    // make_all_runnable().
    void complete(TaskList &awake) {
        uintptr_t waiter = finish();
        if (waiter & group_bit)
            wake(waiter);
        else if (waiter != 0)
            awake.push(*reinterpret_cast<Task *>(waiter));
    }

    // Returns when it is done. At most one task, or one group, waits at a time.
    void wait() MAY_SUSPEND {
        refuse_held_locks();
        for (unsigned spins = 0; !done(); ++spins) {
            if (!should_spin(spins))
                suspend_here(certain_bit);
            else if (!done()) // the look into a tray may have completed it
                cpu_pause();
        }
    }

    // Does the same, but also returns after interrupt(), or when stop() returns true while it
    // spins.
    template <class Stop>
    void wait_or(Stop stop) MAY_SUSPEND {
        refuse_held_locks();
        for (unsigned spins = 0; !done() && !stop(); ++spins) {
            if (should_spin(spins)) {
                cpu_pause();
            } else {
                suspend_here(0);
                return;
            }
        }
    }

    // Returns the waiting task, if interrupt() may end its wait. A hint.
    Task *waiter() const {
        uintptr_t word = word_.load(std::memory_order_relaxed);
        return word > done_value && !(word & (group_bit | certain_bit))
                   ? reinterpret_cast<Task *>(word)
                   : nullptr;
    }

    // Ends the wait of `task`, which waiter() has returned: the caller must make_runnable() it.
    // Returns false if it no longer waits.
    bool interrupt(Task &task) {
        auto waiting = reinterpret_cast<uintptr_t>(&task);
        // acquire [completion-2]: the task, which has suspended or is about to suspend.
        return word_.compare_exchange_strong(waiting, 0, std::memory_order_acquire,
                                             std::memory_order_relaxed);
    }

    // Makes the group that counts this completion, if there is one, arrive as if this had
    // completed, and leaves the group. Only for groups whose waiters check again which operations
    // have completed.
    void interrupt_group() {
        uintptr_t word = word_.load(std::memory_order_relaxed);
        // acquire [completion-2]: the group, whose waiter may have suspended.
        if ((word & group_bit) && word_.compare_exchange_strong(word, 0, std::memory_order_acquire,
                                                                std::memory_order_relaxed))
            wake(word);
    }

    // Does the first step of a wait() for an operation that no other task knows of yet. It saves
    // the read-modify-writes of both sides. Afterwards publish the operation and suspend(); or call
    // abandon_suspension() if the operation turned out to be complete at once.
    void expect(Task &self) {
        prepare_to_suspend(self);
        // release [completion-2]
        word_.store(reinterpret_cast<uintptr_t>(&self) | certain_bit, std::memory_order_release);
    }

    // Makes `group` arrive when this completes. Returns false if this is done already.
    bool join(WaitGroup &group) {
        uintptr_t pending = 0;
        // release [completion-2]: publishes the group. On failure acquire [completion-1]: it is
        // done.
        if (word_.compare_exchange_strong(pending, reinterpret_cast<uintptr_t>(&group) | group_bit,
                                          std::memory_order_release, std::memory_order_acquire))
            return true;
        if (pending != done_value) [[unlikely]]
            refuse_second_waiter();
        return false;
    }

    // Does join() for an operation that no other task knows of yet, which saves the
    // read-modify-write. If the operation turns out to be complete at once, the caller must arrive
    // at the group instead.
    void expect(WaitGroup &group) {
        word_.store(reinterpret_cast<uintptr_t>(&group) | group_bit, std::memory_order_relaxed);
    }

    // Undoes join(). Returns false if this has completed since then: the group has arrived, or is
    // about to.
    bool leave(WaitGroup &group) {
        uintptr_t joined = reinterpret_cast<uintptr_t>(&group) | group_bit;
        // acquire [completion-1] if it has completed. On success relaxed would be enough, but GCC
        // warns of an order that is weaker than the one on failure.
        return word_.compare_exchange_strong(joined, 0, std::memory_order_acquire,
                                             std::memory_order_acquire);
    }

    // Makes it pending again, or done. No task may wait on it or complete it at the same time.
    void reset() { word_.store(0, std::memory_order_relaxed); }

    void set_done() { word_.store(done_value, std::memory_order_relaxed); }

private:
    static constexpr uintptr_t done_value = 1;
    static constexpr uintptr_t group_bit = 2;
    static constexpr uintptr_t certain_bit = 4;
    static void wake(uintptr_t waiter);
    // Says what the program has done (set_second_waiter_function()), and ends the job.
    [[noreturn, gnu::cold]] static void refuse_second_waiter();

    // Publishes the result; returns the task or group that waits, if any.
    uintptr_t finish() {
        // acquire [completion-2]: the waiter's task. If it is certain to stay, no other thread
        // writes the word after it, so no read-modify-write is needed.
        uintptr_t word = word_.load(std::memory_order_acquire);
        if (word & certain_bit)
            word_.store(done_value, std::memory_order_release); // [completion-1]
        else
            // release [completion-1], acquire [completion-2]
            word = word_.exchange(done_value, std::memory_order_acq_rel);
        return word & ~certain_bit;
    }

    void suspend_here(uintptr_t bit) MAY_SUSPEND {
        Task &self = current_task();
        uintptr_t pending = 0;
        prepare_to_suspend(self);
        // release [completion-2]: publishes this task. On failure acquire [completion-1].
        if (word_.compare_exchange_strong(pending, reinterpret_cast<uintptr_t>(&self) | bit,
                                          std::memory_order_release, std::memory_order_acquire)) {
            suspend(self);
            return;
        }
        abandon_suspension(self);
        if (pending != done_value) [[unlikely]]
            refuse_second_waiter();
    }

    std::atomic<uintptr_t> word_{0};
};

class WaitGroup {
public:
    // Completes `reached` at arrival number `wanted`.
    WaitGroup(Completion &reached, int wanted) : reached_(&reached), missing_(wanted) {}

    // Calls reached(argument) at that arrival, on the thread that arrives. The function must not
    // suspend.
    WaitGroup(void (*reached)(void *argument), void *argument, int wanted)
        : function_(reached), argument_(argument), missing_(wanted) {}

    // Counts `count` arrivals. Afterwards the object may be freed.
    void arrive(int count = 1) {
        // acq_rel [wait-group-1]: the last arrival acquires what all earlier ones have published.
        int before = missing_.fetch_sub(count, std::memory_order_acq_rel);
        if (before > 0 && before <= count)
            function_ ? function_(argument_) : reached_->complete();
    }

    // Returns how many arrivals are missing; negative if more than wanted have arrived. acquire
    // [wait-group-1]
    int missing() const { return missing_.load(std::memory_order_acquire); }

private:
    Completion *reached_ = nullptr;
    void (*function_)(void *) = nullptr; // instead of `reached_`
    void *argument_ = nullptr;
    std::atomic<int> missing_; // written by completers and by the waiter
};

inline void Completion::wake(uintptr_t waiter) {
    if (waiter & group_bit)
        reinterpret_cast<WaitGroup *>(waiter - group_bit)->arrive();
    else
        make_runnable(*reinterpret_cast<Task *>(waiter));
}

} // namespace thrum

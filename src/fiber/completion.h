// Completion: one word that says whether something has happened, on which one task may wait.
//
//   word = 0         pending
//        = task      pending, and this task waits
//        = 1         done
#pragma once
#include "base/spinlock.h"
#include "fiber/task.h"

#include <atomic>
#include <cstdint>

namespace thrum {

class Completion {
public:
    // acquire [completion-1]: what the completer wrote is visible; pairs with [completion-2].
    bool done() const { return word_.load(std::memory_order_acquire) == done_value; }

    // Called once, by whoever finishes the operation. After it the object may be gone.
    void complete() {
        // acq_rel [completion-2]: publishes the result; acquires the waiter's task [completion-3].
        uintptr_t waiter = word_.exchange(done_value, std::memory_order_acq_rel);
        if (waiter != 0)
            make_runnable(*reinterpret_cast<Task *>(waiter));
    }

    // Returns once done. At most one task waits at a time.
    void wait() MAY_SUSPEND {
        for (unsigned spins = 0; !done(); ++spins) {
            if (should_spin(spins)) {
                cpu_pause();
                continue;
            }
            uintptr_t pending = 0;
            // release [completion-3]: publishes this task; acquire on failure pairs with [completion-2].
            if (word_.compare_exchange_strong(pending, reinterpret_cast<uintptr_t>(&current_task()),
                                              std::memory_order_release, std::memory_order_acquire))
                suspend();
        }
    }

    // Makes it pending again; nobody may wait or complete meanwhile.
    void reset() { word_.store(0, std::memory_order_relaxed); }

private:
    static constexpr uintptr_t done_value = 1;
    std::atomic<uintptr_t> word_{0};
};

} // namespace thrum

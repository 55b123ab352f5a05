// The list of waits at gates. Callbacks run without its lock.
#include "fabric/shared_memory/gates.h"

#include <algorithm>

namespace thrum {

int Gates::take(int gates_max) {
    LockGuard guard(lock_);
    for (int number = 0; number < gates_max; ++number)
        if (uint64_t bit = uint64_t{1} << number; !(taken_ & bit)) {
            taken_ |= bit;
            return number;
        }
    return -1;
}

void Gates::give_back(int number) {
    LockGuard guard(lock_);
    taken_ &= ~(uint64_t{1} << number);
}

void Gates::await(const GateWait &wait) {
    {
        LockGuard guard(lock_);
        waits_.push_back(wait);
        // seq_cst [attention-1]: a listener that is about to sleep sees the wait.
        count_.store(waits_.size(), std::memory_order_seq_cst);
    }
    // The listener may be asleep already, without having announced this wait, so it is announced
    // here.
    wait.door->somebody_sleeps.store(1, std::memory_order_seq_cst); // [gate-3]
    if (wait.is_over())
        take_in();
}

void Gates::forget(const GateWait &wait) {
    LockGuard guard(lock_);
    std::erase_if(waits_, [&](const GateWait &other) {
        return other.door == wait.door && other.occasion == wait.occasion;
    });
    count_.store(waits_.size(), std::memory_order_relaxed);
}

bool Gates::some_are_over() {
    LockGuard guard(lock_);
    return std::ranges::any_of(waits_, [](const GateWait &wait) { return wait.is_over(); });
}

bool Gates::some_are_unfinished() {
    LockGuard guard(lock_);
    // acquire [gates-1]: the rank that ended() has made runnable is seen to be active.
    return ending_.load(std::memory_order_acquire) > 0 ||
           std::ranges::any_of(waits_, [](const GateWait &wait) { return wait.is_over(); });
}

void Gates::announce_sleep() {
    LockGuard guard(lock_);
    for (const GateWait &wait : waits_)
        wait.door->somebody_sleeps.store(1, std::memory_order_seq_cst); // [gate-3]
}

// Takes one finished wait at a time out of the list, because ended() may begin or end other waits.
bool Gates::take_in() {
    bool something = false;
    for (;;) {
        GateWait over;
        {
            LockGuard guard(lock_);
            auto at = std::ranges::find_if(waits_, [](const GateWait &w) { return w.is_over(); });
            if (at == waits_.end())
                return something;
            over = *at;
            waits_.erase(at);
            count_.store(waits_.size(), std::memory_order_relaxed);
            ending_.fetch_add(1, std::memory_order_relaxed);
        }
        something = true;
        over.ended(over.occasion);
        // Counted afterwards: tasks that it has made runnable count as active by then.
        if (over.has_passed()) // release [traffic-1]
            gone_on_.fetch_add(1, std::memory_order_release);
        // release [gates-1]: with the effects of ended()
        ending_.fetch_sub(1, std::memory_order_release);
    }
}

} // namespace thrum

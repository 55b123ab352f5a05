// The queue of a WindowLock: a list in the order of arrival.
#include "rma/window_lock.h"

#include "pt2pt/blocked.h"

namespace thrum {

bool WindowLock::is_free_for(Mode mode) const {
    if (mode == Mode::Shared)
        return !is_held(Mode::Exclusive);
    return !is_held(Mode::Shared) && (several_ || !is_held(Mode::Exclusive));
}

// Not an atomic addition: it is called with the guard held; is_held() may read at any time.
void WindowLock::add_holder(Mode mode, int count) {
    std::atomic<int> &holders = holders_[static_cast<int>(mode)];
    holders.store(holders.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}

bool WindowLock::acquire_or_queue(Waiter &waiter, bool overtake) {
    LockGuard guard(guard_);
    if ((overtake || !ordered_ || !first_) && is_free_for(waiter.mode)) [[likely]] {
        add_holder(waiter.mode, 1);
        return true;
    }
    (last_ ? last_->next : first_) = &waiter;
    last_ = &waiter;
    return false;
}

bool WindowLock::acquire(Mode mode, bool overtake, const Blockage &blockage) {
    Waiter waiter;
    waiter.mode = mode;
    if (acquire_or_queue(waiter, overtake)) [[likely]]
        return false;
    wait_blocked(waiter.granted, blockage);
    return true;
}

WindowLock::Waiter *WindowLock::take_free_in_order() {
    Waiter *granted = nullptr, **end = &granted;
    while (first_ && is_free_for(first_->mode)) {
        add_holder(first_->mode, 1);
        *end = first_;
        end = &first_->next;
        first_ = first_->next;
    }
    if (!first_)
        last_ = nullptr;
    *end = nullptr;
    return granted;
}

// Goes through the queue in order and skips requests that a holder excludes.
WindowLock::Waiter *WindowLock::take_free() {
    Waiter *granted = nullptr, **end = &granted;
    last_ = nullptr;
    for (Waiter **link = &first_; *link;) {
        Waiter *waiter = *link;
        if (!is_free_for(waiter->mode)) {
            last_ = waiter;
            link = &waiter->next;
            continue;
        }
        add_holder(waiter->mode, 1);
        *link = waiter->next;
        *end = waiter;
        end = &waiter->next;
    }
    *end = nullptr;
    return granted;
}

bool WindowLock::grant(Waiter *granted) {
    const bool any = granted != nullptr;
    while (Waiter *waiter = granted) {
        granted = waiter->next; // the waiter may be freed once it is woken
        waiter->grant ? waiter->grant(*waiter) : waiter->granted.complete();
    }
    return any;
}

void WindowLock::release(Mode mode) {
    Waiter *granted;
    {
        LockGuard guard(guard_);
        add_holder(mode, -1);
        granted = ordered_ ? take_free_in_order() : take_free();
    }
    grant(granted);
}

bool WindowLock::grant_out_of_order() {
    Waiter *granted;
    {
        LockGuard guard(guard_);
        granted = take_free();
    }
    return grant(granted);
}

} // namespace thrum

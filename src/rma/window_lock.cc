#include "rma/window_lock.h"

#include "pt2pt/wait.h"

namespace thrum {

bool WindowLock::is_free_for(Mode mode) const {
    if (mode == Mode::Shared)
        return !is_held(Mode::Exclusive);
    return !is_held(Mode::Shared) && (several_ || !is_held(Mode::Exclusive));
}

void WindowLock::add_holder(Mode mode, int count) {
    std::atomic<int> &holders = holders_[static_cast<int>(mode)];
    holders.store(holders.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
}

bool WindowLock::acquire(Mode mode, bool overtake, const Blockage &blockage) {
    Waiter waiter;
    waiter.mode = mode;
    {
        LockGuard guard(guard_);
        if ((overtake || !first_) && is_free_for(mode)) [[likely]] {
            add_holder(mode, 1);
            return false;
        }
        (last_ ? last_->next : first_) = &waiter;
        last_ = &waiter;
    }
    wait_blocked(waiter.granted, blockage);
    return true;
}

void WindowLock::release(Mode mode) {
    Waiter *granted = nullptr, **end = &granted;
    {
        LockGuard guard(guard_);
        add_holder(mode, -1);
        while (first_ && is_free_for(first_->mode)) {
            add_holder(first_->mode, 1);
            *end = first_;
            end = &first_->next;
            first_ = first_->next;
        }
        if (!first_)
            last_ = nullptr;
        *end = nullptr;
    }
    while (Waiter *waiter = granted) {
        granted = waiter->next; // it is gone once complete
        waiter->granted.complete();
    }
}

bool WindowLock::grant_out_of_order() {
    Waiter *granted = nullptr;
    {
        LockGuard guard(guard_);
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
            waiter->next = granted;
            granted = waiter;
        }
    }
    bool any = granted != nullptr;
    while (Waiter *waiter = granted) {
        granted = waiter->next;
        waiter->granted.complete();
    }
    return any;
}

} // namespace thrum

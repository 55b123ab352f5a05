// The queue of a WindowLock: a list in the order of arrival.
#include "rma/window_lock.h"

#include "pt2pt/blocked.h"

namespace thrum {

bool WindowLock::acquire_or_queue(Waiter &waiter, bool overtake) {
    LockGuard guard(guard_);
    word_->mark(LockWord::queued);
    if ((overtake || !ordered_ || !first_) && enter_if_free(waiter.mode)) {
        note_end_of_queue();
        return true;
    }
    (last_ ? last_->next : first_) = &waiter;
    last_ = &waiter;
    return false;
}

bool WindowLock::acquire(Mode mode, bool overtake, const Blockage &blockage) {
    if (try_acquire(mode, overtake)) [[likely]]
        return false;
    Waiter waiter;
    waiter.mode = mode;
    if (acquire_or_queue(waiter, overtake))
        return false;
    wait_blocked(waiter.granted, blockage);
    return true;
}

void WindowLock::note_end_of_queue() {
    if (!first_)
        word_->unmark(LockWord::queued);
}

WindowLock::Waiter *WindowLock::take_free_in_order() {
    Waiter *granted = nullptr, **end = &granted;
    while (first_ && enter_if_free(first_->mode)) {
        *end = first_;
        end = &first_->next;
        first_ = first_->next;
    }
    if (!first_)
        last_ = nullptr;
    *end = nullptr;
    note_end_of_queue();
    return granted;
}

// Goes through the queue in order and skips requests that a holder excludes.
WindowLock::Waiter *WindowLock::take_free() {
    Waiter *granted = nullptr, **end = &granted;
    last_ = nullptr;
    for (Waiter **link = &first_; *link;) {
        Waiter *waiter = *link;
        if (!enter_if_free(waiter->mode)) {
            last_ = waiter;
            link = &waiter->next;
            continue;
        }
        *link = waiter->next;
        *end = waiter;
        end = &waiter->next;
    }
    *end = nullptr;
    note_end_of_queue();
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

void WindowLock::grant_next() {
    Waiter *granted;
    {
        LockGuard guard(guard_);
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

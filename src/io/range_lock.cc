#include "io/range_lock.h"

#include <vector>

namespace thrum {

void RangeLock::ask(Claim &claim) {
    {
        LockGuard guard(lock_);
        bool free = true;
        for (const Claim *other = first_; other && free; other = other->next)
            free = !conflict(*other, claim);
        claim.granted = free;
        claim.next = nullptr;
        (last_ ? last_->next : first_) = &claim;
        last_ = &claim;
        if (!free)
            return;
    }
    grant(claim);
}

void RangeLock::release(Claim &claim) {
    std::vector<Claim *> now_free;
    {
        LockGuard guard(lock_);
        Claim *before = nullptr;
        for (Claim *other = first_; other != &claim; other = other->next)
            before = other;
        (before ? before->next : first_) = claim.next;
        if (last_ == &claim)
            last_ = before;
        for (Claim *waiter = first_; waiter; waiter = waiter->next) {
            bool free = !waiter->granted;
            for (const Claim *other = first_; other != waiter && free; other = other->next)
                free = !conflict(*other, *waiter);
            if (!free)
                continue;
            waiter->granted = true;
            now_free.push_back(waiter);
        }
    }
    for (Claim *waiter : now_free)
        grant(*waiter);
}

} // namespace thrum

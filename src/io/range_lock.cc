#include "io/range_lock.h"

#include <vector>

namespace thrum {
namespace {

// Limits the claims that a release examines and finds still blocked: with thousands of them it
// would examine all, and each release again. The first claim of the list has nobody before it, so
// it is always granted, and every claim becomes the first.
constexpr int blocked_max = 64;

} // namespace

// A claim also waits behind earlier claims that are not granted yet, so it cannot overtake them.
// on_grant() runs without the lock: it may start a job or send a message.
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
    claim.grant();
}

// Takes the claim out of the list, and grants the claims that nothing before them blocks any more.
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
        int blocked = 0;
        for (Claim *waiter = first_; waiter && blocked < blocked_max; waiter = waiter->next) {
            if (waiter->granted)
                continue;
            bool free = true;
            for (const Claim *other = first_; other != waiter && free; other = other->next)
                free = !conflict(*other, *waiter);
            if (!free) {
                ++blocked;
                continue;
            }
            waiter->granted = true;
            now_free.push_back(waiter);
        }
    }
    for (Claim *waiter : now_free)
        waiter->grant();
}

} // namespace thrum

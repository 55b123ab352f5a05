// Stripes: what makes accumulates atomic for each element (MPI 5.0 section 12.7.1). The memory of a
// window is cut into stripes of equal size; an element belongs to the stripe of its first byte, and
// every accumulate operation - single or many elements, any datatype, any thread - holds the
// stripe's lock while it reads and writes the element.
//
// One scheme for all: hardware atomics would save nothing for one element (a lock costs as much as
// a compare-and-swap) and would make long vectors an order of magnitude slower, for which one lock
// covers a stripe and the loop is vectorised.
#pragma once
#include "base/spinlock.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

inline constexpr int stripe_shift_default = 11; // 2 KiB
inline constexpr int stripe_shift_min = 6;      // a cache line
inline constexpr int stripe_shift_max = 20;

// Of mpi_accumulate_granularity (section 12.2.1); 0: the default.
int stripe_shift_of(int64_t granularity);

SpinLock &stripe_lock(uintptr_t stripe);

// Holds the lock of one stripe at a time.
class StripeHold {
public:
    explicit StripeHold(int shift) : shift_(shift) {}

    StripeHold(const StripeHold &) = delete;
    StripeHold &operator=(const StripeHold &) = delete;

    ~StripeHold() {
        if (lock_)
            lock_->unlock();
    }

    // Makes sure that the stripe of `address` is held; returns where the stripe ends.
    const char *hold(const char *address) {
        uintptr_t stripe = reinterpret_cast<uintptr_t>(address) >> shift_;
        if (!lock_ || stripe != stripe_) {
            SpinLock &lock = stripe_lock(stripe);
            if (&lock != lock_) {
                if (lock_)
                    lock_->unlock();
                lock.lock();
                lock_ = &lock;
            }
            stripe_ = stripe;
        }
        return reinterpret_cast<const char *>((stripe + 1) << shift_);
    }

private:
    const int shift_;
    SpinLock *lock_ = nullptr;
    uintptr_t stripe_ = 0;
};

} // namespace thrum

// Stripes: make accumulates atomic for each element (MPI 5.0 section 12.7.1). The memory of a
// window is cut into stripes of equal size, and an element belongs to the stripe of its first byte.
// Every accumulate operation, with one or many elements, any datatype and any thread, holds the
// stripe's lock while it reads and writes the element.
//
// Hardware atomics would save nothing for one element, because a lock costs as much as a
// compare-and-swap. For long vectors they would be an order of magnitude slower: here one lock
// covers a stripe, and the loop is vectorised.
//
// Two stripes may have the same lock. A task holds one lock at a time, so that cannot deadlock.
#pragma once
#include "base/spinlock.h"

#include <cstddef>
#include <cstdint>

namespace thrum {

// The lock of a stripe, in a cache line of its own.
struct alignas(64) StripeLock {
    SpinLock lock;
};

inline constexpr size_t stripe_lock_count = 256; // stripes share them

// How memory is cut into stripes, and their locks. Memory that several processes map begins with
// its own locks. Its stripes count from there, because its address differs between processes.
struct Stripes {
    StripeLock *locks;
    uintptr_t origin;
    int shift;

    uintptr_t stripe_of(const char *address) const {
        return (reinterpret_cast<uintptr_t>(address) - origin) >> shift;
    }

    SpinLock &lock_of(uintptr_t stripe) const { return locks[stripe % stripe_lock_count].lock; }
};

// The locks for all memory that only this process uses.
extern StripeLock process_stripe_locks[stripe_lock_count];

// Returns the stripes of a target. `mapped`: where memory that several processes have mapped begins
// here; nullptr: it is not shared.
inline Stripes stripes_of(char *mapped, int shift) {
    if (mapped) [[unlikely]]
        return {reinterpret_cast<StripeLock *>(mapped), reinterpret_cast<uintptr_t>(mapped), shift};
    return {process_stripe_locks, 0, shift};
}

inline constexpr int stripe_shift_default = 11; // 2 KiB
inline constexpr int stripe_shift_min = 6;      // a cache line
inline constexpr int stripe_shift_max = 20;

// Returns the shift for mpi_accumulate_granularity (section 12.2.1), within the limits; 0: the
// default.
int stripe_shift_of(int64_t granularity);

// Holds the lock of one stripe at a time, until it ends.
class StripeHold {
public:
    explicit StripeHold(const Stripes &stripes) : stripes_(stripes) {}

    StripeHold(const StripeHold &) = delete;
    StripeHold &operator=(const StripeHold &) = delete;

    ~StripeHold() {
        if (lock_)
            lock_->unlock();
    }

    // Makes sure that the lock of `address`'s stripe is held. Returns the end of the stripe.
    const char *hold(const char *address) {
        uintptr_t stripe = stripes_.stripe_of(address);
        if (!lock_ || stripe != stripe_) {
            SpinLock &lock = stripes_.lock_of(stripe);
            if (&lock != lock_) {
                if (lock_)
                    lock_->unlock();
                lock.lock();
                lock_ = &lock;
            }
            stripe_ = stripe;
        }
        return reinterpret_cast<const char *>(((stripe + 1) << stripes_.shift) + stripes_.origin);
    }

private:
    const Stripes stripes_;
    SpinLock *lock_ = nullptr;
    uintptr_t stripe_ = 0;
};

} // namespace thrum

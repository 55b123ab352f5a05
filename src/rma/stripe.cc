#include "rma/stripe.h"

#include <algorithm>
#include <bit>

namespace thrum {
namespace {

struct alignas(64) StripeLock {
    SpinLock lock;
};

constexpr size_t stripe_locks = 256;
constinit StripeLock locks[stripe_locks]; // for all windows; stripes share them

} // namespace

int stripe_shift_of(int64_t granularity) {
    if (granularity <= 0)
        return stripe_shift_default;
    int shift = std::bit_width(static_cast<uint64_t>(granularity) - 1); // rounded up
    return std::clamp(shift, stripe_shift_min, stripe_shift_max);
}

SpinLock &stripe_lock(uintptr_t stripe) {
    return locks[stripe % stripe_locks].lock;
}

} // namespace thrum

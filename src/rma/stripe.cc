// The locks of this process's memory, and the size of stripes.
#include "rma/stripe.h"

#include <algorithm>
#include <bit>

namespace thrum {
constinit StripeLock process_stripe_locks[stripe_lock_count];

int stripe_shift_of(int64_t granularity) {
    if (granularity <= 0)
        return stripe_shift_default;
    int shift = std::bit_width(static_cast<uint64_t>(granularity) - 1); // rounded up
    return std::clamp(shift, stripe_shift_min, stripe_shift_max);
}

} // namespace thrum

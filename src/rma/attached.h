// The memory attached to a dynamic window (MPI 5.0 section 12.2.4): regions that do not overlap,
// ordered by address. The owner attaches and detaches; all origins look up, under the same lock.
#pragma once
#include "base/error.h"
#include "base/spinlock.h"

#include <cstdint>
#include <vector>

namespace thrum {

// The regions of one member.
class AttachedMemory {
public:
    // Adds [base, base + size_bytes). Returns MPI_ERR_RMA_ATTACH if it overlaps an attached region.
    Error attach(uintptr_t base, uintptr_t size_bytes);
    // Removes the region that begins at `base`. Returns MPI_ERR_BASE if there is none.
    Error detach(uintptr_t base);
    // Returns whether every byte of [begin, end) is attached; the range may extend over regions
    // that touch.
    bool covers(uintptr_t begin, uintptr_t end) const;
    // Returns the number of regions, with the empty ones.
    size_t regions() const;

private:
    struct Region {
        uintptr_t begin, end;
    };

    mutable SpinLock guard_; // guards the following
    std::vector<Region> regions_;
    std::vector<uintptr_t> empty_; // bases of empty regions, which can be detached, too
};

} // namespace thrum

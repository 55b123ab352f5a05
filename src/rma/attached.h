// The memory that is attached to a dynamic window (MPI 5.0 section 12.2.4): regions that do not
// overlap, in the order of their addresses. Attached and detached by the owner, looked up by all.
#pragma once
#include "base/error.h"
#include "base/spinlock.h"

#include <cstdint>
#include <vector>

namespace thrum {

class AttachedMemory {
public:
    Error attach(uintptr_t base, uintptr_t size_bytes);
    Error detach(uintptr_t base);
    // Whether every byte of [begin, end) is attached; regions may touch.
    bool covers(uintptr_t begin, uintptr_t end) const;
    size_t regions() const;

private:
    struct Region {
        uintptr_t begin, end;
    };

    mutable SpinLock guard_; // guards what follows
    std::vector<Region> regions_;
    std::vector<uintptr_t> empty_; // bases of regions without a byte: to be detached, too
};

} // namespace thrum

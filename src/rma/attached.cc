// Lookup is a binary search; attaching inserts into a sorted array, as programs do it rarely.
#include "rma/attached.h"

#include "mpi.h"

#include <algorithm>

namespace thrum {

// Returns the first region that ends after `address`; those before it are entirely below.
static auto first_behind(auto &regions, uintptr_t address) {
    return std::partition_point(regions.begin(), regions.end(),
                                [address](const auto &region) { return region.end <= address; });
}

// Keeps empty regions apart: they cover nothing, but the program detaches them like others.
Error AttachedMemory::attach(uintptr_t base, uintptr_t size_bytes) {
    uintptr_t end = base + size_bytes;
    LockGuard guard(guard_);
    if (size_bytes == 0) {
        empty_.push_back(base);
        return success;
    }
    auto next = first_behind(regions_, base);
    if (next != regions_.end() && next->begin < end)
        return fail(MPI_ERR_RMA_ATTACH,
                    "base is %#lx and size %lu, but %#lx to %#lx is already attached",
                    static_cast<unsigned long>(base), static_cast<unsigned long>(size_bytes),
                    static_cast<unsigned long>(next->begin), static_cast<unsigned long>(next->end));
    regions_.insert(next, {base, end});
    return success;
}

Error AttachedMemory::detach(uintptr_t base) {
    LockGuard guard(guard_);
    auto found = std::find_if(regions_.begin(), regions_.end(),
                              [base](const Region &region) { return region.begin == base; });
    if (found != regions_.end()) {
        regions_.erase(found);
        return success;
    }
    auto empty = std::find(empty_.begin(), empty_.end(), base);
    if (empty == empty_.end())
        return fail(MPI_ERR_BASE, "base is %#lx, which is not the start of attached memory",
                    static_cast<unsigned long>(base));
    empty_.erase(empty);
    return success;
}

bool AttachedMemory::covers(uintptr_t begin, uintptr_t end) const {
    LockGuard guard(guard_);
    for (auto region = first_behind(regions_, begin); begin < end; ++region) {
        if (region == regions_.end() || region->begin > begin)
            return false;
        if (region->end > begin)
            begin = region->end;
    }
    return true;
}

size_t AttachedMemory::regions() const {
    LockGuard guard(guard_);
    return regions_.size() + empty_.size();
}

} // namespace thrum

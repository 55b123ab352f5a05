#include "check/local_accesses.h"

#include <algorithm>
#include <ranges>

namespace thrum {
namespace {

bool are_alike(const LocalAccess &a, const LocalAccess &b) {
    return a.call.call_site == b.call.call_site && a.is_store == b.is_store &&
           a.epochs.fence == b.epochs.fence && a.epochs.exposure == b.epochs.exposure &&
           a.epochs.is_locked == b.epochs.is_locked;
}

// Returns whether the two spans together have no gap.
bool touch(const MemorySpan &a, const MemorySpan &b) {
    return a.low <= b.high && b.low <= a.high;
}

} // namespace

// A loop over an array is one access.
void LocalAccesses::add(const LocalAccess &access, uint64_t told) {
    if (told_ != told)
        accesses_.clear();
    told_ = told;
    for (LocalAccess &known : accesses_ | std::views::reverse | std::views::take(looked_at_max))
        if (are_alike(known, access) && touch(known.span, access.span)) {
            known.span.low = std::min(known.span.low, access.span.low);
            known.span.high = std::max(known.span.high, access.span.high);
            return;
        }
    if (accesses_.size() < accesses_max)
        accesses_.push_back(access);
}

const std::vector<LocalAccess> &LocalAccesses::recent(uint64_t told) {
    if (told_ != told)
        accesses_.clear();
    return accesses_;
}

void LocalAccesses::keep(uint64_t told_before, uint64_t told_now, bool keeps_all) {
    if (told_ != told_before)
        return;
    if (!keeps_all)
        std::erase_if(accesses_,
                      [](const LocalAccess &access) { return access.epochs.fence == 0; });
    told_ = told_now;
}

} // namespace thrum

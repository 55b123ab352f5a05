// The short path of operations that move one element: what programs with shared counters and tables
// do most. Both sides have one element of the same basic datatype, the target's memory is
// accessible from here, and nobody watches. Every other operation, also a wrong one, takes the
// general path, which knows all errors.
#pragma once
#include "fiber/threads_of_ranks.h"
#include "rma/buffers.h"
#include "rma/window.h"
#include "trace/recorder.h"

#include <cstring>

namespace thrum {

// Returns whether an operation may access `target` at this moment, and this is known without a
// change of the epoch's state.
inline bool has_access(const Window &win, int target) {
    // relaxed: written by this process; its threads order their calls.
    const Epoch epoch = win.epoch.load(std::memory_order_relaxed);
    return epoch >= Epoch::FenceUsed ||
           (epoch == Epoch::Locked && access_to(win, target) > TargetAccess::Waiting);
}

// Returns whether nobody but the caller's thread may access `target`: it has locked it exclusively.
inline bool has_alone(const Window &win, int target) {
    return win.epoch.load(std::memory_order_relaxed) == Epoch::Locked && // relaxed: as above
           access_to(win, target) == TargetAccess::Exclusive && !ranks_have_threads();
}

// Returns the address of the one element of the target buffer, if the operation takes the short
// path; otherwise nullptr.
inline char *element_at(const TargetBuffer &target, const Window &win) {
    const Datatype &type = target.type;
    if (target.count != 1 || target.rank < 0 || !type.predefined || !type.contiguous ||
        win.dynamic || !has_access(win, target.rank) || somebody_listens()) [[unlikely]]
        return nullptr;
    const WindowPart &part = win.parts[target.rank];
    const auto size_bytes = static_cast<size_t>(type.size_bytes);
    Count offset;
    // As an unsigned number, a negative offset is large and does not fit.
    const bool fits = part.base &&
                      !__builtin_mul_overflow(Count{target.disp}, part.disp_unit, &offset) &&
                      size_bytes <= part.size_bytes &&
                      static_cast<size_t>(offset) <= part.size_bytes - size_bytes;
    return fits ? part.base + offset : nullptr;
}

// Does the same if the origin has one element of the same datatype.
inline char *element_at(const OriginBuffer &origin, const TargetBuffer &target, const Window &win) {
    return origin.count == 1 && &origin.type == &target.type ? element_at(target, win) : nullptr;
}

// Copies one element: a load and a store for the usual sizes.
inline void copy_element(void *to, const void *from, size_t size_bytes) {
    if (size_bytes == 8) [[likely]]
        std::memcpy(to, from, 8);
    else if (size_bytes == 4)
        std::memcpy(to, from, 4);
    else
        std::memcpy(to, from, size_bytes);
}

} // namespace thrum

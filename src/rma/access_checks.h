// What `mpiexec --check` learns about one-sided operations: the buffers of their origins
// (check/active_buffers.h), and what they access at targets of this process
// (check/window_accesses.h).
#pragma once
#include "check/active_buffers.h"
#include "check/own_windows.h"
#include "check/window_accesses.h"
#include "rma/buffers.h"
#include "rma/window.h"

namespace thrum {

class OneSidedRequest; // rma/remote_access.h

// An operation as the checks see it.
struct CheckedOperation {
    AccessKind kind;
    const OriginBuffer *reads = nullptr; // nullptr: none
    const OriginBuffer *writes = nullptr;
    const OriginBuffer *compares = nullptr;
    OpKind op = OpKind::NoOp; // of an Accumulate
};

// Begins to watch an operation that the present call has begun; `address` is from locate(). Called
// only if has_buffer_checks().
[[gnu::cold]] void watch_operation(const CheckedOperation &operation, const TargetBuffer &target,
                                   const char *address, Window &win, OneSidedRequest *request);

// Begins to watch the loads and stores of this rank in its own part of a new window.
[[gnu::cold]] void watch_own_part(const Window &win);

// This rank begins MPI_Win_fence or, if it `is_last`, MPI_Win_free.
inline void note_end_of_epoch(const Window &win, bool is_last) {
    if (has_buffer_checks()) [[unlikely]]
        note_told_at_end_of_epoch(&win, is_last);
}

// Ends the use of the buffers of this rank's operations at `target` (negative: at all), which the
// present call completes at the origin.
inline void end_local_uses(const Window &win, int target) {
    if (has_buffer_checks()) [[unlikely]]
        end_group(&win, target);
}

// Does the same in an epoch of locks, whose operations at the target are complete if they fetch.
[[gnu::cold]] void end_fetches_of(const Window &win, int target);

inline void complete_locally(const Window &win, int target) {
    if (has_buffer_checks()) [[unlikely]]
        end_fetches_of(win, target);
}

// Does the same for a call that completes all of them at the target, too.
[[gnu::cold]] void complete_operations_of(const Window &win, int target) MAY_SUSPEND;

inline void complete_operations(const Window &win, int target) MAY_SUSPEND {
    if (has_buffer_checks()) [[unlikely]]
        complete_operations_of(win, target);
}

} // namespace thrum

#include "rma/access_checks.h"

#include "comm/group.h"
#include "rma/remote_access.h"

namespace thrum {
namespace {

EpochKind kind_of(Epoch epoch) {
    return epoch == Epoch::FenceUsed ? EpochKind::Fence
           : epoch == Epoch::Started ? EpochKind::Exposure
                                     : EpochKind::Lock;
}

// Returns the number of the epoch of this kind in which the window now accesses `target`.
uint64_t number_of_epoch(const Window &win, int target, EpochKind kind) {
    switch (kind) {
    case EpochKind::Fence:
        return win.fences.load(std::memory_order_relaxed);
    case EpochKind::Exposure:
        return win.parts[target].window->exposures.load(std::memory_order_relaxed);
    case EpochKind::Lock:
        break;
    }
    return 0;
}

BufferUse use_of(const OriginBuffer &buffer, BufferAccess access) {
    return {buffer.address, buffer.count, &buffer.type, access};
}

// Remembers the access at a target of this process. A request that fetches shows when it is
// complete; others only show that the origin's buffer is free.
void remember_access(const CheckedOperation &operation, const TargetBuffer &target,
                     const char *address, Window &win, OneSidedRequest *request) {
    const EpochKind epoch_kind = kind_of(win.epoch.load(std::memory_order_relaxed));
    const bool shows_completion = request && operation.writes && epoch_kind == EpochKind::Lock;
    win.shared->accesses->add(
        {.kind = operation.kind,
         .op = operation.op,
         .use = {address, target.count, &target.type, BufferAccess::Write},
         .origin = win.rank,
         .target = target.rank,
         .epoch_kind = epoch_kind,
         .epoch = number_of_epoch(win, target.rank, epoch_kind),
         .fetches = operation.writes != nullptr,
         .request = shows_completion ? request : nullptr,
         .base = win.dynamic ? 0 : reinterpret_cast<uintptr_t>(win.parts[target.rank].base),
         .target_in_world = (*win.comm->group)[target.rank].world_rank(),
         .is_exclusive = access_to(win, target.rank) == TargetAccess::Exclusive});
    if (shows_completion)
        request->fetched = {win.shared->accesses, win.rank, target.rank};
}

} // namespace

// Returns the epochs in which others may access the caller's own part.
static TargetEpochs epochs_of_own_part(const void *window) {
    const Window &win = *static_cast<const Window *>(window);
    const Epoch epoch = win.epoch.load(std::memory_order_relaxed);
    const bool is_fenced = epoch == Epoch::Fence || epoch == Epoch::FenceUsed;
    const bool is_exposed = win.exposed.load(std::memory_order_relaxed);
    const uint64_t fences = win.fences.load(std::memory_order_relaxed);
    const uint64_t exposures = win.exposures.load(std::memory_order_relaxed);
    return {.fence = is_fenced ? fences : 0,
            .exposure = is_exposed ? exposures : 0,
            .is_locked =
                epoch == Epoch::LockedAll ||
                (epoch == Epoch::Locked && access_to(win, win.rank) > TargetAccess::Waiting),
            .ended_fence = fences - is_fenced,
            .ended_exposure = exposures - is_exposed};
}

// The origin's buffers may be in the origin's own part of a window.
static void check_own_buffers(const CheckedOperation &operation) {
    const auto check = [](const OriginBuffer *buffer, BufferAccess access) {
        if (buffer && buffer->type.contiguous && !use_of(*buffer, access).is_empty())
            check_own_access(use_of(*buffer, access), current_call());
    };
    check(operation.writes, BufferAccess::Write);
    check(operation.reads, BufferAccess::Read);
    check(operation.compares, BufferAccess::Read);
}

void watch_own_part(const Window &win) {
    const WindowPart &part = win.parts[win.rank];
    if (!win.shared->accesses || win.shared->remote || win.dynamic || part.size_bytes == 0 ||
        part.size_bytes > own_window_bytes_max)
        return;
    begin_own_window({.window = &win,
                      .span = span_of_block(part.base, part.size_bytes),
                      .accesses = win.shared->accesses,
                      .rank = win.rank,
                      .made = current_call(),
                      .epochs_of = epochs_of_own_part});
}

// The origin's buffers may be on the way to another process: then what is written to varies.
void watch_operation(const CheckedOperation &operation, const TargetBuffer &target,
                     const char *address, Window &win, OneSidedRequest *request) {
    note_told();
    const WindowPart &part = win.parts[target.rank];
    if (part.is_here())
        remember_access(operation, target, address, win, request);
    const void *owner = &part;
    if (request)
        owner = static_cast<const Request *>(request);
    const UseGroup group{&win, target.rank};
    if (operation.writes)
        begin_use(owner, use_of(*operation.writes, BufferAccess::Write),
                  part.is_accessible() ? BufferContents::Fixed : BufferContents::Varying, group);
    for (const OriginBuffer *buffer : {operation.reads, operation.compares})
        if (buffer)
            begin_use(owner, use_of(*buffer, BufferAccess::Read), BufferContents::Fixed, group);
    check_own_buffers(operation);
}

void end_fetches_of(const Window &win, int target) {
    end_group(&win, target);
    win.shared->accesses->complete_fetches(win.rank, target);
}

// Lets the others run first: what they do now is not ordered after these operations, but would seem
// so if they never met.
void complete_operations_of(const Window &win, int target) {
    WindowAccesses &accesses = *win.shared->accesses;
    if (accesses.has_pending(win.rank))
        yield();
    end_group(&win, target);
    accesses.complete(win.rank, target);
}

} // namespace thrum

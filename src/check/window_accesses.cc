#include "check/window_accesses.h"

#include "check/finding.h"
#include "comm/process.h"

#include <climits>

namespace thrum {
namespace {

bool reads(const WindowAccess &access) {
    return access.kind == AccessKind::Get ||
           (access.kind == AccessKind::Accumulate && access.op == OpKind::NoOp);
}

bool is_accumulate(const WindowAccess &access) {
    return access.kind == AccessKind::Accumulate || access.kind == AccessKind::CompareAndSwap;
}

// Section 12.7.2: accumulates of one origin come in order. Those of several may be concurrent if
// their operations are the same or MPI_NO_OP (section 12.2.1, accumulate_ops). The standard's own
// examples mix compare-and-swap with others.
bool may_be_concurrent(const WindowAccess &a, const WindowAccess &b) {
    if (reads(a) && reads(b))
        return true;
    if (!is_accumulate(a) || !is_accumulate(b))
        return false;
    return a.origin == b.origin || a.op == b.op || reads(a) || reads(b) ||
           a.kind == AccessKind::CompareAndSwap || b.kind == AccessKind::CompareAndSwap;
}

BufferUse use_of(const LocalAccess &local) {
    return {reinterpret_cast<const void *>(local.span.low),
            static_cast<Count>(local.span.size_bytes()), find_datatype(MPI_BYTE),
            local.is_store ? BufferAccess::Write : BufferAccess::Read};
}

// Returns whether an operation is in an epoch in which the access was made.
bool share_epoch(const WindowAccess &access, const LocalAccess &local) {
    switch (access.epoch_kind) {
    case EpochKind::Fence:
        return access.epoch == local.epochs.fence;
    case EpochKind::Exposure:
        return access.epoch == local.epochs.exposure;
    case EpochKind::Lock:
        break;
    }
    return local.epochs.fence == 0 && local.epochs.exposure == 0;
}

// Section 12.7: "Polling on a location in a window for a change" needs no synchronization between
// locks. So a single element that one rank reads does not count there.
bool is_polled(const WindowAccess &access) {
    constexpr uintptr_t element_bytes_max = 8;
    return access.epoch_kind == EpochKind::Lock &&
           span_of(access.use).size_bytes() <= element_bytes_max;
}

// Returns whether an operation and an access of its target touch one byte, and one of them writes.
bool disturb(const WindowAccess &access, const LocalAccess &local) {
    return (local.is_store || !reads(access)) && share_epoch(access, local) &&
           share_bytes(access.use, use_of(local));
}

// Returns whether `again` is one more call of the same line for the same bytes.
bool is_repeated(const WindowAccess &access, const WindowAccess &again) {
    return access.origin == again.origin && access.kind == again.kind && access.op == again.op &&
           access.call.call_site == again.call.call_site &&
           access.use.address == again.use.address && access.use.count == again.use.count &&
           access.use.datatype == again.use.datatype && access.request == again.request;
}

// Returns "bytes 4 to 7", "byte 4", or "the same bytes" if datatypes have gaps. `base`: of the
// window.
std::string common_bytes(const BufferUse &a, const BufferUse &b, uintptr_t base) {
    if (!a.datatype->contiguous || !b.datatype->contiguous)
        return "the same bytes";
    const MemorySpan span = span_of(a), other = span_of(b);
    const uintptr_t first = std::max(span.low, other.low) - base;
    const uintptr_t last = std::min(span.high, other.high) - base - 1;
    return first == last ? "byte " + std::to_string(first)
                         : "bytes " + std::to_string(first) + " to " + std::to_string(last);
}

} // namespace

// Called with the lock held, like clear().
void WindowAccesses::TargetLogs::count() {
    size_t operations = 0;
    for (const EpochLog &log : of_kind)
        operations += log.accesses.size();
    if (local)
        local->operations.store(operations, std::memory_order_relaxed);
}

void WindowAccesses::TargetLogs::clear(EpochKind kind) {
    of_kind[static_cast<size_t>(kind)].accesses = {};
    count();
}

// Forgets the accesses of epochs that are over for the target.
void WindowAccesses::TargetLogs::clear_ended(EpochKind kind, uint64_t last_epoch) {
    const EpochLog &log = of_kind[static_cast<size_t>(kind)];
    if (log.accesses.size() > 0 && log.epoch <= last_epoch)
        clear(kind);
}

// Returns the logs of the target, with that of the access's epoch. Called with the lock held.
WindowAccesses::TargetLogs &WindowAccesses::logs_for(const WindowAccess &access) {
    TargetLogs &logs = logs_[access.target];
    EpochLog &log = logs.of_kind[static_cast<size_t>(access.epoch_kind)];
    if (log.epoch != access.epoch) {
        logs.clear(access.epoch_kind);
        log.epoch = access.epoch;
    }
    return logs;
}

void WindowAccesses::report_conflict(const WindowAccess &first, const WindowAccess &second) {
    report_finding({PairMistake::Access, first.call, second.call,
                    "conflicts with %s of rank " + std::to_string(first.origin_in_world) +
                        (second.epoch_kind == EpochKind::Lock ? ", which is not complete"
                                                              : " in the same epoch") +
                        ": both access " + common_bytes(first.use, second.use, second.base) +
                        " of the window of rank " + std::to_string(second.target_in_world),
                    first.origin_in_world});
}

// Reports that an operation and a load or store of its target conflict; `is_first`: the operation
// was first.
static void report_local_conflict(const WindowAccess &access, const LocalAccess &local,
                                  bool is_first) {
    const char *name = local.call.function != 0 ? nullptr : local.is_store ? "store" : "load";
    const int other = is_first ? access.origin_in_world : access.target_in_world;
    report_finding({.mistake = PairMistake::Access,
                    .first = is_first ? access.call : local.call,
                    .second = is_first ? local.call : access.call,
                    .sentence = "conflicts with %s of rank " + std::to_string(other) +
                                (access.epoch_kind != EpochKind::Lock ? " in the same epoch"
                                 : is_first                           ? ", which is not complete"
                                            : ", which nothing has ordered before it") +
                                ": both access " +
                                common_bytes(access.use, use_of(local), access.base) +
                                " of the window of rank " + std::to_string(access.target_in_world),
                    .first_rank = other,
                    .first_access = is_first ? nullptr : name,
                    .access = is_first ? name : nullptr});
}

// Returns whether a rank's operation at itself has both its own part as target and its origin
// buffer there.
static bool is_same_call(const WindowAccess &access, const LocalAccess &local, int rank) {
    return access.origin == rank && access.call.call_site == local.call.call_site;
}

// Returns an access of the target that the operation disturbs. A rank that polls for a store learns
// what was before it.
std::optional<LocalAccess> WindowAccesses::find_local(LocalPart *part, const WindowAccess &access) {
    if (!part)
        return std::nullopt;
    const std::lock_guard guard(part->mutex);
    for (const LocalAccess &local :
         part->accesses.recent(part->told->load(std::memory_order_relaxed))) {
        if (!disturb(access, local) || (access.is_exclusive && local.epochs.is_locked))
            continue;
        if (!is_polled(access) || (local.is_store && !reads(access)))
            return local;
        if (local.is_store) {
            part->accesses.forget();
            return std::nullopt;
        }
    }
    return std::nullopt;
}

// Reports without the lock: it reads the program's debug information.
void WindowAccesses::add(WindowAccess access) {
    if (access.use.is_empty())
        return;
    access.call = current_call();
    access.origin_in_world = current_process().world_rank();
    const MemorySpan span = span_of(access.use);
    std::vector<Remembered> conflicting; // one at most
    std::optional<LocalAccess> local;
    {
        const std::lock_guard guard(mutex_);
        TargetLogs &logs = logs_for(access);
        Index &accesses = logs.of_kind[static_cast<size_t>(access.epoch_kind)].accesses;
        bool is_known = false;
        accesses.visit_near(span, [&](const Remembered &other) {
            is_known = is_known || is_repeated(other.access, access);
            if (!may_be_concurrent(other.access, access) &&
                share_bytes(other.access.use, access.use))
                conflicting.push_back(other);
            return conflicting.empty();
        });
        if (!is_known && accesses.size() < accesses_max) {
            const Index::Place place = accesses.add(span, Remembered(access));
            logs.count();
            if (access.epoch_kind == EpochKind::Lock)
                under_locks_[{access.origin, access.target}].push_back(place);
        }
        local = find_local(logs.local.get(), access);
    }
    if (!conflicting.empty())
        report_conflict(conflicting.front().access, access);
    if (local)
        report_local_conflict(access, *local, false);
}

std::shared_ptr<WindowAccesses::LocalPart>
WindowAccesses::begin_local(int rank, const std::atomic<uint64_t> *told) {
    const std::lock_guard guard(mutex_);
    TargetLogs &logs = logs_[rank];
    logs.local = std::make_shared<LocalPart>();
    logs.local->told = told;
    logs.count();
    return logs.local;
}

void WindowAccesses::end_local(int rank) {
    const std::lock_guard guard(mutex_);
    logs_[rank].local.reset();
}

// Returns an operation at member `rank` that the access disturbs, if there is one.
std::vector<WindowAccesses::Remembered> WindowAccesses::find_operations(int rank,
                                                                        const LocalAccess &access) {
    std::vector<Remembered> found;
    std::unique_lock guard(mutex_, std::defer_lock);
    if (!lock_soon(guard))
        return found;
    TargetLogs &logs = logs_[rank];
    logs.clear_ended(EpochKind::Fence, access.epochs.ended_fence);
    logs.clear_ended(EpochKind::Exposure, access.epochs.ended_exposure);
    for (EpochLog &log : logs.of_kind)
        if (found.empty())
            log.accesses.visit_near(access.span, [&](const Remembered &other) {
                if (!is_same_call(other.access, access, rank) && disturb(other.access, access) &&
                    !is_polled(other.access))
                    found.push_back(other);
                return found.empty();
            });
    return found;
}

// An operation that comes between the two looks counts before it looks at the part: one of the two
// finds the other.
void WindowAccesses::add_local(int rank, LocalPart &part, const LocalAccess &access, bool is_kept) {
    {
        std::unique_lock guard(part.mutex, std::defer_lock);
        if (!lock_soon(guard))
            return;
        if (is_kept)
            part.accesses.add(access, part.told->load(std::memory_order_relaxed));
    }
    if (part.operations.load(std::memory_order_relaxed) == 0)
        return;
    const std::vector<Remembered> found = find_operations(rank, access);
    if (!found.empty())
        report_local_conflict(found.front().access, access, true);
}

// Forgets what `origin` has done under locks at `target` (negative: at all) if is_complete(access).
template <class IsComplete>
void WindowAccesses::forget(int origin, int target, IsComplete is_complete) {
    const std::lock_guard guard(mutex_);
    auto pending = under_locks_.lower_bound({origin, std::max(target, 0)});
    const auto end = under_locks_.upper_bound({origin, target < 0 ? INT_MAX : target});
    while (pending != end) {
        std::erase_if(pending->second, [&](const Index::Place &place) {
            const WindowAccess &access = place.thing().access;
            const bool is_over = is_complete(access);
            if (is_over)
                take(place);
            return is_over;
        });
        pending = pending->second.empty() ? under_locks_.erase(pending) : std::next(pending);
    }
}

// Takes out an access under locks. Called with the lock held.
void WindowAccesses::take(const Index::Place &place) {
    TargetLogs &logs = logs_[place.thing().access.target];
    logs.of_kind[static_cast<size_t>(EpochKind::Lock)].accesses.take(place);
    logs.count();
}

void WindowAccesses::complete(int origin, int target) {
    forget(origin, target, [](const WindowAccess &) { return true; });
}

void WindowAccesses::complete_fetches(int origin, int target) {
    forget(origin, target, [](const WindowAccess &access) { return access.fetches; });
}

void WindowAccesses::complete_request(int origin, int target, const void *request) {
    forget(origin, target,
           [request](const WindowAccess &access) { return access.request == request; });
}

bool WindowAccesses::has_pending(int origin) {
    const std::lock_guard guard(mutex_);
    const auto pending = under_locks_.lower_bound({origin, 0});
    return pending != under_locks_.end() && pending->first.first == origin;
}

} // namespace thrum

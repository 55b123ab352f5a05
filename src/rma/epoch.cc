// Fences, and what all kinds of epochs have in common: the check of an operation, the table of
// targets, the descriptions in errors.
#include "rma/epoch.h"

#include "base/check.h"
#include "coll/coll.h"
#include "comm/call_names.h"
#include "fiber/external_waits.h"
#include "fiber/worker.h"
#include "rma/access_checks.h"
#include "rma/remote_access.h"

#include <cstdio>
#include <new>

namespace thrum {

Error bad_assertion(int assertion) {
    return fail(MPI_ERR_ASSERT, "assert is %d: bits %#x are not MPI_MODE_ flags", assertion,
                assertion & ~known_assertions);
}

namespace {

// Two fences with operations between them are an epoch, in which no other may begin (section
// 12.5.1). Other MPIs allow it; `mpiexec --check` does not.
Error check_within_fences(const Window &win) {
    const CallPlace &other = win.within_fences;
    if (other.function == 0)
        return success;
    return fail(MPI_ERR_RMA_SYNC,
                "%s was called since the last fence, at %s: that fence needs MPI_MODE_NOSUCCEED, "
                "or this one MPI_MODE_NOPRECEDE",
                name_of_call(other).c_str(), site_of_call(other).c_str());
}

// MPI_MODE_NOPRECEDE says that the rank has called no operation since the last fence.
Error check_precedence(const Window &win, int assertion) {
    if (!(assertion & MPI_MODE_NOPRECEDE))
        return check_within_fences(win);
    if (win.epoch.load(std::memory_order_relaxed) == Epoch::FenceUsed)
        return fail(MPI_ERR_RMA_SYNC, "assert has MPI_MODE_NOPRECEDE, but an operation was called "
                                      "since the last fence");
    return success;
}

} // namespace

// Completes this rank's operations first; then the meeting orders them before all other ranks' next
// accesses.
Error fence(Window &win, int assertion) {
    if (Error error = check_assertion(assertion))
        return error;
    {
        LockGuard guard(win.guard);
        char text[epoch_text_bytes];
        Epoch epoch = win.epoch.load(std::memory_order_relaxed);
        if (epoch != Epoch::None && epoch != Epoch::Fence && epoch != Epoch::FenceUsed)
            return fail(MPI_ERR_RMA_SYNC, "%s", describe_epoch(win, text));
        if (win.exposed.load(std::memory_order_relaxed))
            return fail(MPI_ERR_RMA_SYNC, "MPI_Win_post was called, but not MPI_Win_wait");
        if (settings().is_strict())
            if (Error error = check_precedence(win, assertion))
                return error;
    }
    end_local_uses(win, -1);
    note_end_of_epoch(win, false);
    // The error of a lost process must not keep this rank from the meeting, where the others wait.
    const Error lost = win.traffic ? flush_remote(win, -1) : success;
    // A fence that neither closes nor opens an epoch need not wait (section 12.5.1). After
    // MPI_MODE_NOPRECEDE alone the targets must have arrived: operations access them at once.
    constexpr int alone = MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
    if ((assertion & alone) != alone)
        if (Error error = meet(*win.comm, nullptr, Collective::WindowFence))
            return error;
    LockGuard guard(win.guard);
    win.within_fences = {};
    win.fences.fetch_add(1, std::memory_order_relaxed);
    win.epoch.store(assertion & MPI_MODE_NOSUCCEED ? Epoch::None : Epoch::Fence,
                    std::memory_order_relaxed);
    return lost;
}

void note_within_fences(Window &win) {
    if (win.before == Epoch::Fence)
        win.within_fences = current_call();
}

// The table is made when it is first needed: with many ranks, most windows only use fences.
std::atomic<TargetAccess> *make_access_table(Window &win) {
    auto *all = new (std::nothrow) std::atomic<TargetAccess>[static_cast<size_t>(win.size)] {
    };
    CHECK(all != nullptr, "out of memory for a window of %d ranks", win.size);
    win.access.store(all, std::memory_order_release); // release [access-1]
    return all;
}

// The slow path of check_access(): the first operation after a fence, or access to single targets.
// An error says which call is missing.
Error check_access_slowly(Window &win, int target) {
    Epoch epoch = win.epoch.load(std::memory_order_relaxed);
    if (epoch == Epoch::Fence) {
        // From now on only a fence may follow. Any of several threads may set this.
        win.epoch.compare_exchange_strong(epoch, Epoch::FenceUsed, std::memory_order_relaxed);
        return success;
    }
    if (epoch == Epoch::None)
        return fail(MPI_ERR_RMA_SYNC,
                    "no epoch is open: none of MPI_Win_fence, MPI_Win_start, MPI_Win_lock and "
                    "MPI_Win_lock_all was called before");
    if (epoch >= Epoch::FenceUsed || access_to(win, target) > TargetAccess::Waiting)
        return success;
    if (epoch == Epoch::Started)
        return fail(MPI_ERR_RMA_SYNC,
                    "target_rank is %d, which is not in the group that was given to MPI_Win_start",
                    target);
    return fail(MPI_ERR_RMA_SYNC, "target_rank is %d, for which MPI_Win_lock was not called",
                target);
}

Error check_may_open(const Window &win) {
    Epoch epoch = win.epoch.load(std::memory_order_relaxed);
    if (epoch == Epoch::None || epoch == Epoch::Fence) [[likely]]
        return success;
    char text[epoch_text_bytes];
    return fail(MPI_ERR_RMA_SYNC, "%s", describe_epoch(win, text));
}

const char *describe_epoch(const Window &win, char (&text)[epoch_text_bytes]) {
    switch (win.epoch.load(std::memory_order_relaxed)) {
    case Epoch::None:
        std::snprintf(text, sizeof text, "no epoch is open");
        break;
    case Epoch::Fence:
        std::snprintf(text, sizeof text, "MPI_Win_fence was called last");
        break;
    case Epoch::FenceUsed:
        std::snprintf(text, sizeof text,
                      "an operation was called after MPI_Win_fence, and no fence since");
        break;
    case Epoch::Started:
        std::snprintf(text, sizeof text, "MPI_Win_start was called, but not MPI_Win_complete");
        break;
    case Epoch::LockingAll:
    case Epoch::LockedAll:
        std::snprintf(text, sizeof text, "MPI_Win_lock_all was called, but not MPI_Win_unlock_all");
        break;
    case Epoch::Locked: {
        int target = 0;
        while (target < win.size - 1 && access_to(win, target) == TargetAccess::None)
            ++target;
        std::snprintf(text, sizeof text,
                      "MPI_Win_lock of rank %d was called, but not MPI_Win_unlock", target);
        break;
    }
    }
    return text;
}

void give_way_now(const Window &win, uint32_t turn) {
    // A process that polls takes messages in more often than it gives the core to other processes,
    // which costs as much as twenty operations.
    constexpr uint32_t turns_between_system_calls = 256;
    if (ExternalWaits *o = external_waits(); o && turn % turns_between_system_calls != 0) {
        o->look();
        if (current_task().kind == TaskKind::OsThread)
            return;
    }
    // Other workers have OS threads of their own, so a stream of operations need not yield its core
    // to them. But messages of other processes, for which the rank may poll, are taken in when it
    // yields.
    const Task &self = current_task();
    if (self.kind == TaskKind::OsThread || self.worker->has_work() || win.traffic)
        yield();
}

} // namespace thrum

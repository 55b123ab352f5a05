// Passive target synchronization: locks, flush and sync (MPI 5.0 sections 12.5.3 and 12.5.4).
//
// A lock of one target is that target's WindowLock. MPI_Win_lock_all does not visit all targets: it
// takes one lock of the whole window in mode Shared. Every exclusive lock first takes that lock in
// mode Exclusive, which excludes Shared holders but not other Exclusive ones.
//
// If the window spans processes, the lock of the whole window is in the process of member 0, and a
// target's lock is in the target's process.
//
// A call of MPI_Win_lock returns only when the lock is held, because every window can be accessed
// by loads and stores (section 12.5.3).
#include "fiber/threads_of_ranks.h"
#include "rma/access_checks.h"
#include "rma/access_record.h"
#include "rma/blockage.h"
#include "rma/epoch.h"
#include "rma/remote_access.h"
#include "rma/window_lifecycle.h"

#include <utility>

namespace thrum {
namespace {

using Mode = WindowLock::Mode;

Error check_locks_allowed(const Window &win) {
    if (!win.hints.no_locks) [[likely]]
        return success;
    return fail(MPI_ERR_RMA_SYNC, "the window has the info key no_locks, which promises no locks");
}

// Section 12.5.3: "It is erroneous to have a window locked and exposed (in an exposure epoch)
// concurrently."
Error locked_and_exposed(int target) {
    return fail(MPI_ERR_RMA_CONFLICT,
                "rank is %d, which has called MPI_Win_post and not yet MPI_Win_wait", target);
}

// A call of MPI_Win_lock: what it asks for, and which of the locks it holds by now.
struct Locking {
    const int target;
    const Mode mode;
    const bool checked; // MPI_MODE_NOCHECK was not given
    // How many locks of the window the rank already holds.
    int held = 0, exclusive_held = 0;
    bool has_whole = false, has_target = false;

    TargetAccess access() const {
        return !checked               ? TargetAccess::Unchecked
               : mode == Mode::Shared ? TargetAccess::Shared
                                      : TargetAccess::Exclusive;
    }
};

// Opens or extends the epoch before the lock is waited for: another thread of the rank must not
// lock the same target during the wait. The caller holds the guard.
Error reserve(Window &win, Locking &call) {
    if (win.epoch.load(std::memory_order_relaxed) != Epoch::Locked) {
        if (Error error = check_may_open(win))
            return error;
        win.before = win.epoch.load(std::memory_order_relaxed);
        note_within_fences(win);
        win.epoch.store(Epoch::Locked, std::memory_order_relaxed);
    } else if (access_to(win, call.target) != TargetAccess::None) {
        return fail(MPI_ERR_RMA_SYNC, "rank is %d, which this process has already locked",
                    call.target);
    }
    ++win.locks;
    call.held = win.held;
    call.exclusive_held = win.exclusive_held;
    return success;
}

// Opens access to the target. The caller holds the guard.
void open(Window &win, const Locking &call) {
    count_rma(win, Counted::Lock);
    win.held += call.checked;
    win.exclusive_held += call.checked && call.mode == Mode::Exclusive;
    set_access(win, call.target, call.access());
}

// Records that the rank no longer locks `target`; the last target ends the epoch. The caller holds
// the guard.
void drop(Window &win, int target) {
    set_access(win, target, TargetAccess::None);
    if (--win.locks == 0)
        win.epoch.store(win.before, std::memory_order_relaxed);
}

// Takes the lock of the whole window, which may be in another process. Sets `waited` if it had to
// wait here.
Error take_whole_lock(Window &win, Mode mode, bool overtake, const LockBlockage &blockage,
                      bool &waited) MAY_SUSPEND {
    bool exposed = false; // there is no target
    if (is_whole_lock_remote(win)) [[unlikely]]
        return try_acquire_mapped(win, -1, mode)
                   ? success
                   : acquire_remotely(win, -1, mode, overtake, exposed);
    waited |= win.shared->all_or_exclusive.acquire(mode, overtake, blockage);
    return success;
}

void give_whole_lock_back(Window &win, Mode mode) MAY_SUSPEND {
    if (is_whole_lock_remote(win)) [[unlikely]]
        release_remotely(win, -1, mode);
    else
        win.shared->all_or_exclusive.release(mode);
}

// Takes the locks that are free, in this process or in memory that it has mapped: it neither waits
// nor wakes anybody. The caller holds the guard.
void take_free_locks(Window &win, Locking &call) {
    const bool exclusive = call.mode == Mode::Exclusive;
    if (exclusive)
        call.has_whole =
            is_whole_lock_remote(win)
                ? try_acquire_mapped(win, -1, call.mode)
                : win.shared->all_or_exclusive.try_acquire(call.mode, call.exclusive_held > 0);
    if (exclusive && !call.has_whole)
        return;
    if (Window *other = win.parts[call.target].window) [[likely]]
        call.has_target = other->lock.try_acquire(call.mode, call.held > 0);
    else
        call.has_target = try_acquire_mapped(win, call.target, call.mode);
}

// Takes the locks that the call does not hold yet. None is held if the target is exposed, or after
// an error. A rank that holds other locks of the window may overtake, because the requests before
// it may wait for those.
Error take_locks(Window &win, const Locking &call, bool &exposed) MAY_SUSPEND {
    const auto [target, mode] = std::pair{call.target, call.mode};
    LockBlockage blockage(win, target, mode);
    bool waited = false;
    Error error;
    if (mode == Mode::Exclusive && !call.has_whole)
        if (Error lost = take_whole_lock(win, mode, call.exclusive_held > 0, blockage, waited))
            return lost;
    if (Window *other = win.parts[target].window) [[likely]] {
        if (!call.has_target)
            waited |= other->lock.acquire(mode, call.held > 0, blockage);
        exposed = other->exposed.load(std::memory_order_relaxed);
        if (exposed)
            other->lock.release(mode);
    } else {
        error = acquire_remotely(win, target, mode, call.held > 0, exposed);
    }
    if ((error || exposed) && mode == Mode::Exclusive)
        give_whole_lock_back(win, mode);
    if (waited)
        count_rma(win, Counted::LockWait);
    return error;
}

// Returns whether a target in this process is exposed. One in another process cannot be asked so
// cheaply.
bool is_exposed_here(const Window &win, int target) {
    const Window *other = win.parts[target].window;
    return other && other->exposed.load(std::memory_order_relaxed);
}

// In the reverse order of take_locks().
void give_locks_back(Window &win, int target, Mode mode) MAY_SUSPEND {
    if (Window *other = win.parts[target].window) [[likely]]
        other->lock.release(mode);
    else
        release_remotely(win, target, mode);
    if (mode == Mode::Exclusive)
        give_whole_lock_back(win, mode);
}

// Completes what the origin has begun at `target` (negative: everywhere) in other processes.
Error finish_remote(Window &win, int target) MAY_SUSPEND {
    if (win.traffic) [[unlikely]]
        return flush_remote(win, target);
    return success;
}

// Completes the operations at `rank` at their origin, and counts the call.
inline Error complete_at_origin(Window &win, int rank) MAY_SUSPEND {
    if (Error error = check_rank(win, rank))
        return error;
    if (rank != MPI_PROC_NULL) [[likely]] {
        if (Error error = check_passive(win, rank))
            return error;
        complete_locally(win, rank);
    }
    if (win.traffic) [[unlikely]]
        wait_for_answers(win);
    count_rma(win, Counted::Flush);
    give_way(win);
    return success;
}

// Reserves the epoch under the guard, and takes the lock if it is free. Otherwise it waits for the
// lock without the guard, and then opens access to the target. If the lock is refused, the
// reservation is dropped.
[[gnu::noinline]] Error lock_slowly(Window &win, int lock_type, int rank,
                                    int assertion) MAY_SUSPEND {
    if (lock_type != MPI_LOCK_SHARED && lock_type != MPI_LOCK_EXCLUSIVE)
        return fail(MPI_ERR_LOCKTYPE,
                    "lock_type is %d, but must be MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE",
                    lock_type);
    if (Error error = check_rank(win, rank))
        return error;
    if (Error error = check_assertion(assertion))
        return error;
    if (Error error = check_locks_allowed(win))
        return error;
    if (rank == MPI_PROC_NULL)
        return success;
    Locking call{.target = rank,
                 .mode = lock_type == MPI_LOCK_SHARED ? Mode::Shared : Mode::Exclusive,
                 .checked = !(assertion & MPI_MODE_NOCHECK)};
    bool conflict;
    {
        LockGuard guard(win.guard);
        if (Error error = reserve(win, call))
            return error;
        if (call.checked)
            take_free_locks(win, call);
        conflict = is_exposed_here(win, rank);
        if ((call.has_target || !call.checked) && !conflict) [[likely]] {
            open(win, call);
            return success;
        }
        set_access(win, rank, TargetAccess::Waiting);
    }
    Error error;
    if (call.checked)
        error = take_locks(win, call, conflict);
    LockGuard guard(win.guard);
    if (error || conflict) {
        drop(win, rank);
        return error ? error : locked_and_exposed(rank);
    }
    open(win, call);
    return success;
}

// Completes the operations before it releases the lock, so that the next holder sees them.
[[gnu::noinline]] Error unlock_slowly(Window &win, int rank) MAY_SUSPEND {
    if (Error error = check_rank(win, rank))
        return error;
    if (rank == MPI_PROC_NULL)
        return success;
    Error lost;
    if (access_to(win, rank) >= TargetAccess::Shared) {
        complete_operations(win, rank);
        lost = finish_remote(win, rank);
    }
    TargetAccess access;
    {
        LockGuard guard(win.guard);
        access = access_to(win, rank);
        if (access < TargetAccess::Shared)
            return fail(MPI_ERR_RMA_SYNC, "rank is %d, for which MPI_Win_lock was not called",
                        rank);
        win.held -= access != TargetAccess::Unchecked;
        win.exclusive_held -= access == TargetAccess::Exclusive;
        drop(win, rank);
    }
    if (access != TargetAccess::Shared)
        note_told();
    if (access == TargetAccess::Unchecked)
        order_memory();
    else
        give_locks_back(win, rank, access == TargetAccess::Shared ? Mode::Shared : Mode::Exclusive);
    give_way(win);
    return lost;
}

// Returns whether a lock of `target` may take the short path: it is in this process, no other
// thread of the rank can be in a call, and nobody watches.
inline bool is_simple(const Window &win, int target) {
    return win.has_rank(target) && !win.traffic && !ranks_have_threads() && !somebody_listens();
}

// Gives the lock of the whole window back, which lock_simply() has taken in vain, and starts over.
[[gnu::noinline, gnu::cold]] Error lock_again(Window &win, int target) MAY_SUSPEND {
    win.shared->all_or_exclusive.release(Mode::Exclusive);
    return lock_slowly(win, MPI_LOCK_EXCLUSIVE, target, 0);
}

// Takes the locks if they are free. It calls other functions only as its last step, so that the
// short path saves no registers.
template <Mode mode>
[[gnu::always_inline]] inline Error lock_simply(Window &win, std::atomic<TargetAccess> *access,
                                                int target) MAY_SUSPEND {
    constexpr bool exclusive = mode == Mode::Exclusive;
    if (exclusive && !win.shared->all_or_exclusive.try_acquire_own<Mode::Exclusive, true>())
        [[unlikely]]
        return lock_slowly(win, MPI_LOCK_EXCLUSIVE, target, 0);
    if (!win.parts[target].window->lock.try_acquire_own<mode, false>()) [[unlikely]]
        return exclusive ? lock_again(win, target) : lock_slowly(win, MPI_LOCK_SHARED, target, 0);
    win.before = Epoch::None;
    win.locks = win.held = 1;
    win.exclusive_held = exclusive;
    access[target].store(exclusive ? TargetAccess::Exclusive : TargetAccess::Shared,
                         std::memory_order_relaxed);
    win.epoch.store(Epoch::Locked, std::memory_order_relaxed);
    return success;
}

} // namespace

// Takes the short path if the rank has no lock of the window and the call is a usual one. Leaves
// everything else, also wrong calls, to lock_slowly(), which knows all errors.
Error lock(Window &win, int lock_type, int rank, int assertion) {
    std::atomic<TargetAccess> *access = win.access.load(std::memory_order_relaxed); // its own
    if (is_simple(win, rank) && access && assertion == 0 && !win.hints.no_locks &&
        win.epoch.load(std::memory_order_relaxed) == Epoch::None) [[likely]] {
        if (lock_type == MPI_LOCK_EXCLUSIVE)
            return lock_simply<Mode::Exclusive>(win, access, rank);
        if (lock_type == MPI_LOCK_SHARED)
            return lock_simply<Mode::Shared>(win, access, rank);
    }
    return lock_slowly(win, lock_type, rank, assertion);
}

// Takes the short path if the rank has only this lock.
Error unlock(Window &win, int rank) {
    if (!is_simple(win, rank) || win.locks != 1) [[unlikely]]
        return unlock_slowly(win, rank);
    std::atomic<TargetAccess> &access = win.access.load(std::memory_order_relaxed)[rank]; // its own
    const TargetAccess held = access.load(std::memory_order_relaxed);
    if (held != TargetAccess::Exclusive && held != TargetAccess::Shared) [[unlikely]]
        return unlock_slowly(win, rank);
    win.locks = win.held = win.exclusive_held = 0;
    access.store(TargetAccess::None, std::memory_order_relaxed);
    win.epoch.store(win.before, std::memory_order_relaxed);
    WindowLock &lock = win.parts[rank].window->lock;
    const Mode mode = held == TargetAccess::Exclusive ? Mode::Exclusive : Mode::Shared;
    if (lock.release_own(mode)) [[unlikely]]
        lock.grant_next();
    WindowLock &whole = win.shared->all_or_exclusive;
    if (mode == Mode::Exclusive && whole.release_own(mode)) [[unlikely]]
        whole.grant_next();
    give_way(win);
    return success;
}

// While the call waits for the whole lock, the epoch is LockingAll, so that no other thread of the
// rank opens another one.
Error lock_all(Window &win, int assertion) {
    if (Error error = check_assertion(assertion))
        return error;
    if (Error error = check_locks_allowed(win))
        return error;
    bool unchecked = assertion & MPI_MODE_NOCHECK;
    {
        LockGuard guard(win.guard);
        if (Error error = check_may_open(win))
            return error;
        win.before = win.epoch.load(std::memory_order_relaxed);
        note_within_fences(win);
        win.epoch.store(Epoch::LockingAll, std::memory_order_relaxed);
        win.all_unchecked = unchecked;
    }
    Error lost;
    bool waited = false;
    if (!unchecked)
        lost =
            take_whole_lock(win, Mode::Shared, false, LockBlockage(win, -1, Mode::Shared), waited);
    if (waited)
        count_rma(win, Counted::LockWait);
    bool conflict = !lost && win.shared->exposed.load(std::memory_order_relaxed) > 0;
    if (conflict && !unchecked)
        give_whole_lock_back(win, Mode::Shared);
    LockGuard guard(win.guard);
    win.epoch.store(lost || conflict ? win.before : Epoch::LockedAll, std::memory_order_relaxed);
    if (lost)
        return lost;
    if (conflict)
        return fail(MPI_ERR_RMA_CONFLICT,
                    "a rank of the window has called MPI_Win_post and not yet MPI_Win_wait");
    count_rma(win, Counted::Lock);
    if (win.traffic)
        win.shared->locked_all.fetch_add(1, std::memory_order_relaxed);
    return success;
}

// Completes the remote operations before it releases the lock: the next holder must see them.
Error unlock_all(Window &win) {
    Error lost;
    if (win.epoch.load(std::memory_order_relaxed) == Epoch::LockedAll) {
        complete_operations(win, -1);
        lost = finish_remote(win, -1);
    }
    bool unchecked;
    {
        LockGuard guard(win.guard);
        if (win.epoch.load(std::memory_order_relaxed) != Epoch::LockedAll)
            return fail(MPI_ERR_RMA_SYNC, "MPI_Win_lock_all was not called: no such epoch is open");
        unchecked = win.all_unchecked;
        win.epoch.store(win.before, std::memory_order_relaxed);
    }
    if (win.traffic)
        win.shared->locked_all.fetch_sub(1, std::memory_order_relaxed);
    if (unchecked) {
        note_told();
        order_memory();
    } else {
        give_whole_lock_back(win, Mode::Shared);
    }
    give_way(win);
    return lost;
}

Error check_passive_slowly(const Window &win, int target) {
    Epoch epoch = win.epoch.load(std::memory_order_relaxed);
    if (epoch == Epoch::Locked && (target < 0 || access_to(win, target) >= TargetAccess::Shared))
        return success;
    if (epoch == Epoch::Locked)
        return fail(MPI_ERR_RMA_SYNC, "rank %d is not locked by this process", target);
    char text[epoch_text_bytes];
    return fail(MPI_ERR_RMA_SYNC, "no passive target epoch is open: %s",
                epoch == Epoch::None ? "neither MPI_Win_lock nor MPI_Win_lock_all was called"
                                     : describe_epoch(win, text));
}

Error flush(Window &win, int rank) {
    if (Error error = complete_at_origin(win, rank))
        return error;
    Error lost;
    if (rank != MPI_PROC_NULL) {
        complete_operations(win, rank);
        lost = finish_remote(win, rank);
    }
    order_memory();
    return lost;
}

Error flush_all(Window &win) {
    if (Error error = flush_local_all(win))
        return error;
    complete_operations(win, -1);
    const Error lost = finish_remote(win, -1);
    order_memory();
    return lost;
}

Error flush_local(Window &win, int rank) {
    return complete_at_origin(win, rank);
}

Error flush_local_all(Window &win) {
    if (Error error = check_passive(win, -1))
        return error;
    complete_locally(win, -1);
    if (win.traffic)
        wait_for_answers(win);
    count_rma(win, Counted::Flush);
    give_way(win);
    return success;
}

// The standard requires a passive target epoch here, too. Programs call it to order their loads and
// stores of shared memory, inside or outside epochs, and that does no harm.
Error sync(Window &win) {
    note_told();
    order_memory();
    give_way(win);
    return success;
}

bool grant_window_locks_out_of_order() {
    bool any = false;
    auto visit = [](SharedWindow &shared, void *argument) {
        // Without other processes grants send nothing; with them, the caller is no task.
        assert_does_not_suspend();
        bool granted = shared.all_or_exclusive.grant_out_of_order();
        for (int i = 0; i < shared.size; ++i)
            if (Window *member = shared.parts[i].window)
                granted |= member->lock.grant_out_of_order();
        *static_cast<bool *>(argument) |= granted;
    };
    for_each_window(visit, &any);
    return any;
}

} // namespace thrum

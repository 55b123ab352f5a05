// Epochs (MPI 5.0 section 12.5): when a window may be accessed, and by whom.
//
//   None --fence--> Fence --put--> FenceUsed --fence--> Fence (None after MPI_MODE_NOSUCCEED)
//   None, Fence --lock--> Locked --last unlock--> as before     so do start .. complete (Started)
//   None, Fence --lock_all--> LockedAll --unlock_all--> as before
//
// Operations on ranks of the same process are complete at origin and target when the call returns;
// synchronization only adds order between ranks. With targets in other processes, synchronization
// also waits for operations that were begun there (rma/remote_access.h).
//
// Calls return MPI_ERR_RMA_SYNC if the state does not allow them, and MPI_ERR_PROC_ABORTED if a
// process that they depend on is lost.
#pragma once
#include "rma/window.h"

namespace thrum {

// Ends a fence epoch and opens the next (section 12.5.1). Collective: waits for all members, unless
// the assertion says that no epoch is closed or opened.
Error fence(Window &win, int assertion) MAY_SUSPEND;

// General active target synchronization (section 12.5.2), in active.cc.
Error post(Window &win, const Group &group, int assertion) MAY_SUSPEND;
Error start(Window &win, const Group &group, int assertion) MAY_SUSPEND;
Error complete(Window &win) MAY_SUSPEND;
Error wait_exposed(Window &win) MAY_SUSPEND;
Error test_exposed(Window &win, bool &done) MAY_SUSPEND;
// Record a call of a rank in any process: `target` has called MPI_Win_post for the owner of
// `origin`, or `origin` has called MPI_Win_complete for the owner of `target`. They take the guard
// of that window.
void note_post(Window &origin, int target);
void note_complete(Window &target, int origin);
// Ends the waits of this window's owner for ranks of lost processes in MPI_Win_start and
// MPI_Win_wait.
void end_epochs_with_lost(Window &win);

// Locks, flush and sync (sections 12.5.3 and 12.5.4), in passive.cc. `rank` may be MPI_PROC_NULL.
Error lock(Window &win, int lock_type, int rank, int assertion) MAY_SUSPEND;
Error unlock(Window &win, int rank) MAY_SUSPEND;
Error lock_all(Window &win, int assertion) MAY_SUSPEND;
Error unlock_all(Window &win) MAY_SUSPEND;
Error flush(Window &win, int rank) MAY_SUSPEND;
Error flush_all(Window &win) MAY_SUSPEND;
Error flush_local(Window &win, int rank) MAY_SUSPEND;
Error flush_local_all(Window &win) MAY_SUSPEND;
Error sync(Window &win) MAY_SUSPEND;

// Grants locks that only wait for their turn. Called when the whole process has become idle.
// Returns false if there are none: then it is a deadlock.
bool grant_window_locks_out_of_order();

// Returns MPI_ERR_RMA_SYNC unless an operation may access `target` at this moment. The first
// operation after a fence closes the time in which another kind of epoch could be opened.
Error check_access_slowly(Window &win, int target);

inline Error check_access(Window &win, int target) {
    // relaxed: written by this process; its threads order their calls.
    if (win.epoch.load(std::memory_order_relaxed) >= Epoch::FenceUsed) [[likely]]
        return success;
    return check_access_slowly(win, target);
}

// The slow path of check_passive(): locks of single targets, and the errors.
Error check_passive_slowly(const Window &win, int target);

// Returns MPI_ERR_RMA_SYNC unless a passive target epoch is open for `target` (section 12.3.5).
inline Error check_passive(const Window &win, int target) {
    if (win.epoch.load(std::memory_order_relaxed) == Epoch::LockedAll) [[likely]]
        return success;
    return check_passive_slowly(win, target);
}

// Does what give_way() does now and then, at its call number `turn`.
void give_way_now(const Window &win, uint32_t turn) MAY_SUSPEND;

// Lets other ranks of the worker run now and then. Called by the calls that a program may use for
// polling: without that, the rank that it polls for might never run.
inline void give_way(Window &win) MAY_SUSPEND {
    constexpr uint32_t turns_between = 16; // a yield costs more than most operations
    const uint32_t turn = win.turns.load(std::memory_order_relaxed) + 1;
    win.turns.store(turn, std::memory_order_relaxed); // losing another thread's count does no harm
    if (turn % turns_between == 0) [[unlikely]]
        give_way_now(win, turn);
}

// Orders all earlier accesses of the calling thread before all later ones, for all threads.
inline void order_memory() {
    std::atomic<int> order{0};
    // seq_cst [order-1], of all such calls. Not atomic_thread_fence(), which ThreadSanitizer does
    // not know; the same instruction.
    order.fetch_add(1, std::memory_order_seq_cst);
}

inline constexpr int known_assertions =
    MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
[[gnu::cold]] Error bad_assertion(int assertion); // MPI_ERR_ASSERT

// Returns MPI_ERR_ASSERT if `assertion` has bits other than the MPI_MODE_ flags of windows.
inline Error check_assertion(int assertion) {
    if ((assertion & ~known_assertions) == 0) [[likely]]
        return success;
    return bad_assertion(assertion);
}

// Checks whether an epoch of another kind than a fence's may be opened. The caller holds `guard`.
Error check_may_open(const Window &win);
// Makes the table of what is allowed at each target. The caller holds `guard`.
[[gnu::cold]] std::atomic<TargetAccess> *make_access_table(Window &win);

// Notes what is allowed at `target`. The caller holds `guard`.
inline void set_access(Window &win, int target, TargetAccess access) {
    std::atomic<TargetAccess> *all = win.access.load(std::memory_order_relaxed);
    if (!all) [[unlikely]]
        all = make_access_table(win);
    all[target].store(access, std::memory_order_relaxed);
}

// Notes that the present call begins an epoch of another kind after a fence. The caller holds the
// guard.
void note_within_fences(Window &win);

inline constexpr size_t epoch_text_bytes = 160;
// Describes the open epoch: "MPI_Win_lock_all was called, but not MPI_Win_unlock_all". Returns
// `text`.
const char *describe_epoch(const Window &win, char (&text)[epoch_text_bytes]);

} // namespace thrum

// Epochs (MPI 5.0 section 12.5): when a window may be accessed, and by whom.
//
//   None --fence--> Fence --put--> FenceUsed --fence--> Fence (None after MPI_MODE_NOSUCCEED)
//   None, Fence --lock--> Locked --last unlock--> as before     so do start .. complete (Started)
//   None, Fence --lock_all--> LockedAll --unlock_all--> as before
//
// Operations at ranks of the same process are complete at origin and target when their call
// returns: what synchronization adds is order between ranks. With targets in other processes it
// waits for what has been begun there (rma/remote.h).
#pragma once
#include "rma/window.h"

namespace thrum {

// Fence (section 12.5.1)
Error fence(Window &win, int assertion) MAY_SUSPEND;

// General active target synchronization (section 12.5.2); active.cc
Error post(Window &win, const Group &group, int assertion) MAY_SUSPEND;
Error start(Window &win, const Group &group, int assertion) MAY_SUSPEND;
Error complete(Window &win) MAY_SUSPEND;
Error wait_exposed(Window &win) MAY_SUSPEND;
Error test_exposed(Window &win, bool &done) MAY_SUSPEND;
// `target` has called MPI_Win_post for `origin`, the process of that window object; `origin` has
// called MPI_Win_complete. Of ranks in any process.
void note_post(Window &origin, int target);
void note_complete(Window &target, int origin);
// A process is lost: nobody waits for its ranks any more in MPI_Win_start or MPI_Win_wait.
void end_epochs_with_lost(Window &win);

// Locks, flush and sync (sections 12.5.3 and 12.5.4); passive.cc. `rank` may be MPI_PROC_NULL.
Error lock(Window &win, int lock_type, int rank, int assertion) MAY_SUSPEND;
Error unlock(Window &win, int rank) MAY_SUSPEND;
Error lock_all(Window &win, int assertion) MAY_SUSPEND;
Error unlock_all(Window &win) MAY_SUSPEND;
Error flush(Window &win, int rank) MAY_SUSPEND;
Error flush_all(Window &win) MAY_SUSPEND;
Error flush_local(Window &win, int rank) MAY_SUSPEND;
Error flush_local_all(Window &win) MAY_SUSPEND;
Error sync(Window &win) MAY_SUSPEND;

// When the whole process has come to rest: grants locks that wait for their turn only. False if
// there are none; then it is a deadlock.
bool grant_window_locks_out_of_order();

// Whether an operation may access `target` now; MPI_ERR_RMA_SYNC if not.
Error check_access_slowly(Window &win, int target);

inline Error check_access(Window &win, int target) {
    // relaxed: written by this process; its threads order their calls.
    if (win.epoch.load(std::memory_order_relaxed) >= Epoch::FenceUsed) [[likely]]
        return success;
    return check_access_slowly(win, target);
}

// MPI_ERR_RMA_SYNC unless a passive target epoch is open for `target` (section 12.3.5).
Error check_passive(const Window &win, int target);

// The calls with which a program may poll do this: other ranks of the worker get their turn now and
// then.
void give_way(Window &win) MAY_SUSPEND;

// All earlier accesses of the calling thread come before all later ones, for everybody.
inline void order_memory() {
    std::atomic<int> order{0};
    // seq_cst [order-1], of all such calls. Not atomic_thread_fence(), which ThreadSanitizer does
    // not know; the same instruction.
    order.fetch_add(1, std::memory_order_seq_cst);
}

Error check_assertion(int assertion);
TargetAccess access_to(const Window &win, int target);
// Before a process opens an epoch of another kind than a fence's, with `guard` held.
Error check_may_open(const Window &win);
void set_access(Window &win, int target, TargetAccess access); // with `guard` held

inline constexpr size_t epoch_text_bytes = 160;
// What is open: "MPI_Win_lock_all was called, but not MPI_Win_unlock_all".
const char *describe_epoch(const Window &win, char (&text)[epoch_text_bytes]);

} // namespace thrum

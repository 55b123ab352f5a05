// General active target synchronization (MPI 5.0 section 12.5.2), following the standard's model.
// MPI_Win_post notifies each origin, and MPI_Win_start waits until all its targets have posted.
// MPI_Win_complete notifies each target, and MPI_Win_wait waits until all its origins have
// completed.
//
// Each rank's notices are lists in its own Window, under its guard. A notice of a rank of this
// process is written directly; others come as messages (remote_target.cc).
//
// MPI_Win_start waits, not the first operation: programs must expect that anyway. So an origin has
// at most one outstanding post of a target, and a complete always belongs to the open exposure
// epoch. MPI_MODE_NOCHECK changes nothing, because the notice costs only a few instructions.
#include "comm/group.h"
#include "pt2pt/blocked.h"
#include "pt2pt/lost.h"
#include "rma/access_checks.h"
#include "rma/blockage.h"
#include "rma/epoch.h"
#include "rma/remote_access.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace thrum {
namespace {

// Finds the ranks in the window of the members of `group`. Returns MPI_ERR_GROUP for a member that
// is not in the window.
Error ranks_of(const Window &win, const Group &group, std::vector<int> &ranks) {
    const Group &all = *win.comm->group;
    constexpr int few = 8; // up to this many searches cost less than an index of the world
    std::unique_ptr<RankIndex> index;
    if (!all.first && group.size > few)
        index = std::make_unique<RankIndex>(all);
    ranks.reserve(static_cast<size_t>(group.size));
    for (int i = 0; i < group.size; ++i) {
        int rank = index ? index->rank_of(group[i]) : all.rank_of(group[i]);
        if (rank == MPI_UNDEFINED)
            return fail(MPI_ERR_GROUP, "member %d of group (world rank %d) is not in the window", i,
                        group[i].world_rank());
        ranks.push_back(rank);
    }
    return success;
}

// Removes `rank`; returns whether it was present.
bool take(std::vector<int> &ranks, int rank) {
    auto found = std::find(ranks.begin(), ranks.end(), rank);
    if (found == ranks.end())
        return false;
    *found = ranks.back();
    ranks.pop_back();
    return true;
}

// Ends the exposure epoch. Returns MPI_ERR_PROC_ABORTED if an origin was lost before it completed.
// The caller holds the guard.
Error unexpose(Window &win) {
    win.exposed.store(false, std::memory_order_relaxed);
    win.lock.note_exposed(false);
    win.all_completed = nullptr;
    win.shared->exposed.fetch_sub(1, std::memory_order_relaxed);
    const NodeProcess lost = std::exchange(win.lost_origin, no_process);
    return lost == no_process ? success : lost_process_error(lost);
}

// Removes ranks of lost processes. Returns one of these processes; no_process if there are none.
// The caller holds the guard.
NodeProcess drop_lost(const Window &win, std::vector<int> &ranks) {
    NodeProcess lost;
    if (lost_processes.load(std::memory_order_seq_cst) > 0) // [lost-1]
        std::erase_if(ranks, [&](int rank) {
            const NodeProcess process = lost_process_of_member(win, rank);
            lost = std::max(lost, process);
            return process != no_process;
        });
    return lost;
}

Error not_exposed() {
    return fail(MPI_ERR_RMA_SYNC, "MPI_Win_post was not called: no exposure epoch is open");
}

} // namespace

// Completes after it has released the guard: the woken rank may free the window at once.
void end_epochs_with_lost(Window &win) {
    Completion *all_posted = nullptr, *all_completed = nullptr;
    {
        LockGuard guard(win.guard);
        if (drop_lost(win, win.awaited_posts) != no_process && win.awaited_posts.empty())
            all_posted = win.all_posted;
        if (const NodeProcess lost = drop_lost(win, win.exposed_to); lost != no_process) {
            win.lost_origin = lost;
            if (win.exposed_to.empty())
                all_completed = win.all_completed;
        }
    }
    if (all_posted)
        all_posted->complete();
    if (all_completed)
        all_completed->complete();
}

// Removes the post from the awaited ones. A post that arrives before MPI_Win_start is kept for it.
void note_post(Window &origin, int target) {
    Completion *last = nullptr;
    {
        LockGuard guard(origin.guard);
        if (!take(origin.awaited_posts, target))
            origin.posted_by.push_back(target);
        else if (origin.awaited_posts.empty())
            last = origin.all_posted;
    }
    if (last)
        last->complete();
}

void note_complete(Window &target, int origin) {
    Completion *last = nullptr;
    {
        LockGuard guard(target.guard);
        if (take(target.exposed_to, origin) && target.exposed_to.empty())
            last = target.all_completed;
    }
    if (last)
        last->complete();
}

// Exposes the window, then notifies the origins without the guard: note_post() takes the guard of
// another window object, and two ranks that post to each other would deadlock.
Error post(Window &win, const Group &group, int assertion) {
    std::vector<int> origins;
    if (Error error = check_assertion(assertion))
        return error;
    if (Error error = ranks_of(win, group, origins))
        return error;
    {
        LockGuard guard(win.guard);
        if (win.exposed.load(std::memory_order_relaxed))
            return fail(MPI_ERR_RMA_SYNC, "MPI_Win_post was called before, but not MPI_Win_wait");
        if (win.epoch.load(std::memory_order_relaxed) == Epoch::FenceUsed)
            return check_may_open(win);
        // Section 12.5.3: "it is erroneous to call MPI_WIN_POST while the local window is locked".
        // This process cannot detect ranks of other processes in MPI_Win_lock_all.
        if (win.lock.is_held() || win.shared->all_or_exclusive.is_held(WindowLock::Mode::Shared) ||
            win.shared->locked_all.load(std::memory_order_relaxed) > 0)
            return fail(MPI_ERR_RMA_CONFLICT, "the window of rank %d is locked", win.rank);
        win.exposed.store(true, std::memory_order_relaxed);
        win.lock.note_exposed(true);
        win.exposures.fetch_add(1, std::memory_order_relaxed);
        win.shared->exposed.fetch_add(1, std::memory_order_relaxed);
        win.exposed_to = origins;
        win.lost_origin = drop_lost(win, win.exposed_to);
    }
    note_told();
    for (int origin : origins)
        if (Window *other = win.parts[origin].window)
            note_post(*other, win.rank);
        else
            tell_post_remotely(win, origin);
    return success;
}

// Waits for posts that have not arrived. Those that came early are in `posted_by`. The targets are
// entered under one guard, so each notice finds the rank either here or there.
Error start(Window &win, const Group &group, int assertion) {
    std::vector<int> targets;
    if (Error error = check_assertion(assertion))
        return error;
    if (Error error = ranks_of(win, group, targets))
        return error;
    Completion all_posted;
    {
        LockGuard guard(win.guard);
        if (Error error = check_may_open(win))
            return error;
        win.before = win.epoch.load(std::memory_order_relaxed);
        note_within_fences(win);
        for (int target : targets) {
            set_access(win, target, TargetAccess::Started);
            if (!take(win.posted_by, target))
                win.awaited_posts.push_back(target);
        }
        drop_lost(win, win.awaited_posts); // operations on these targets will be errors
        win.started = std::move(targets);
        win.epoch.store(Epoch::Started, std::memory_order_relaxed);
        if (win.awaited_posts.empty())
            return success;
        win.all_posted = &all_posted;
    }
    wait_blocked(all_posted, PostBlockage(win));
    LockGuard guard(win.guard);
    win.all_posted = nullptr;
    return success;
}

// Ends the access epoch. Operations at targets in other processes are confirmed before the targets
// learn that the epoch is over: their ranks may read the memory at once.
Error complete(Window &win) {
    std::vector<int> targets;
    {
        LockGuard guard(win.guard);
        if (win.epoch.load(std::memory_order_relaxed) != Epoch::Started)
            return fail(MPI_ERR_RMA_SYNC, "MPI_Win_start was not called: no such epoch is open");
        targets.swap(win.started);
        for (int target : targets)
            set_access(win, target, TargetAccess::None);
        win.epoch.store(win.before, std::memory_order_relaxed);
    }
    end_local_uses(win, -1);
    note_told();
    Error error;
    if (win.traffic)
        error = flush_remote(win, -1);
    for (int target : targets)
        if (Window *other = win.parts[target].window)
            note_complete(*other, win.rank);
        else if (!tell_complete_remotely(win, target) && !error)
            error = lost_process_error(lost_process_of_member(win, target));
    return error;
}

// Checks and registers under one guard, so that the last MPI_Win_complete cannot come between the
// two: its wake-up would be lost.
Error wait_exposed(Window &win) {
    Completion all_completed;
    {
        LockGuard guard(win.guard);
        if (!win.exposed.load(std::memory_order_relaxed))
            return not_exposed();
        if (win.exposed_to.empty())
            return unexpose(win);
        win.all_completed = &all_completed;
    }
    wait_blocked(all_completed, CompleteBlockage(win));
    LockGuard guard(win.guard);
    return unexpose(win);
}

Error test_exposed(Window &win, bool &done) {
    {
        LockGuard guard(win.guard);
        if (!win.exposed.load(std::memory_order_relaxed))
            return not_exposed();
        done = win.exposed_to.empty();
        if (done)
            return unexpose(win);
    }
    yield(); // the others need the worker to complete
    return success;
}

} // namespace thrum

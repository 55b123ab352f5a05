// Run: ranks that call a function of the calling process and end without ending it (thrum_run,
// include/thrum/run.h).
//
//   makes ranks          rank/added.h, with MPI state of their own world
//   starts them          each calls the function (rank/contained.h)
//   waits                its caller is a task like any other: a rank, or a thread of one
//   condemns             when ranks wait for ever, at the time limit, and a while after a failure:
//                        MPI takes no more calls; who waits in it is woken and unwound
//   gives up             ranks that cannot be ended (they compute, or wait outside MPI) stay behind
//
// Invariants
// 1. A rank is woken by force only when no other rank of the run can wake it: each of them has
//    ended, waits too, or was seen outside MPI after the condemnation.
// 2. The state of a run whose ranks have ended by themselves is destroyed; that of any other run is
//    abandoned, because it may refer to stacks that have been unwound.
// 3. A run lives until its caller and all its ranks have left it.
#pragma once
#include "fiber/completion.h"
#include "rank/contained.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace thrum {

class Run;

// What a run asks of the watch of all runs (run_watch.h). Any thread.
struct RunWatcher {
    void (*call)();           // makes it call act() soon
    void (*forget)(Run &run); // the run is about to be freed
};

class Run final : public Containment {
public:
    using Function = int(void *world, void *argument);

    Run(int count, const void *function, void *argument, int64_t time_limit_ns,
        const RunWatcher &watch);
    // Makes the ranks. Returns false and a sentence if that fails; then only leave() may follow.
    bool make(bool shares_globals, std::string &error) MAY_SUSPEND;
    void start();
    // Waits until all ranks have ended, or cannot be ended.
    void wait() MAY_SUSPEND;
    virtual ~Run() = default; // by leave() only
    // Frees the run, or leaves that to its last rank.
    void leave() MAY_SUSPEND;

    int count() const { return count_; }

    bool has_ended(int rank) const;

    const Contained &member(int rank) const { return members_[static_cast<size_t>(rank)]; }

    // Why the run was condemned, and what its ranks waited for then, in lines; "": it was not.
    const std::string &reason() const { return reason_; }

    const std::string &waits() const { return waits_; }

    // ---- for the watch of all runs (run_watch.h), which makes one such call at a time

    // Returns whether a rank of the run is in `world_ranks` (empty: any) and waits in MPI.
    bool is_stuck(const std::vector<int> &world_ranks) const;
    // Returns whether ranks of the run have numbers that a look at these ranks has found stuck,
    // but have begun since then: the numbers were those of a run that has ended.
    bool is_newer_than_a_look_at(const std::vector<int> &world_ranks) const;
    // Returns whether it is condemned, or its caller is about to go on.
    bool is_ending() const;
    // Returns whether the run has given up, and all these ranks are among those that it has left
    // behind.
    bool has_left_behind(const std::vector<int> &world_ranks) const;
    // Returns whether a rank of the run has called thrum_run() and waits there.
    bool has_caller_of(const Run &other) const;
    // Ends the run: `end` is Deadlocked or TimedOut. The first call counts. act() does the rest.
    void condemn(RankEnd end, const std::string &reason);
    // Does what is due, at `now_ns`. Returns when the next thing is.
    int64_t act(int64_t now_ns);

    // ---- Containment
    int call(Contained &member) MAY_SUSPEND override;
    void rank_has_ended(Contained &member) MAY_SUSPEND override;
    void close_mpi(Contained &member) override;

private:
    bool may_wake() const;
    void wake_all();
    void read_waits();
    void hurry(int64_t now_ns);
    void release();

    const int count_;
    const void *const function_; // in the caller's image
    void *const argument_;
    const int64_t time_limit_ns_;
    const RunWatcher &watch_;
    std::unique_ptr<Contained[]> members_;
    std::vector<Rank *> ranks_;
    const RankThread *const caller_;
    Completion done_;
    std::atomic<int> alive_{0};            // ranks that have not ended
    std::atomic<int> holders_{1};          // the caller and the ranks
    std::atomic<bool> is_done_{false};     // done_ is complete
    std::atomic<int64_t> failed_at_ns_{0}; // a rank has ended with a failure; 0: none has
    int64_t begin_ns_ = 0;                 // of make()
    int64_t deadline_ns_ = 0;              // 0: none
    // Written by the watch.
    int64_t condemned_at_ns_ = 0;
    RankEnd condemnation_ = RankEnd::Returned;
    bool is_woken_ = false;
    bool has_given_up_ = false;
    std::string reason_;
    std::string waits_;
};

} // namespace thrum

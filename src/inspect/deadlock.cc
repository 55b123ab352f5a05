// Reports deadlocks and ends the job, or warns (deadlock.h).
#include "inspect/deadlock.h"

#include "base/check.h"
#include "base/settings.h"
#include "base/spinlock.h"
#include "check/arrival_finding.h"
#include "check/held_sends.h"
#include "check/queued_findings.h"
#include "comm/process.h"
#include "fiber/activity.h"
#include "fiber/library_threads.h"
#include "fiber/os_threads.h"
#include "fiber/thread_sleep.h"
#include "fiber/timer.h"
#include "inspect/call_report.h"
#include "inspect/final_report.h"
#include "inspect/finalize_release.h"
#include "inspect/merged_snapshot.h"
#include "inspect/snapshot.h"
#include "rank/job.h"
#include "rank/job_end.h"
#include "rank/programs.h"
#include "rma/epoch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <unistd.h>
#include <utility>

namespace thrum {

static std::atomic<EndStuckRuns *> end_stuck_runs{nullptr};

void set_end_stuck_runs(EndStuckRuns *function) {
    end_stuck_runs.store(function, std::memory_order_release); // release [stuck-runs-1]
}

// Returns whether ranks go on because stuck runs have been ended.
static bool some_runs_have_ended(const std::vector<int> &world_ranks, bool (*still_holds)()) {
    EndStuckRuns *function =
        end_stuck_runs.load(std::memory_order_acquire); // acquire [stuck-runs-1]
    return function && function(world_ranks, still_holds);
}

// Explains which ranks were spawned: their numbers follow those of the initial ranks. Neighbours of
// the same world and program share a line.
static std::vector<std::string> spawned_lines() {
    // Ranks with consecutive numbers that were spawned together.
    struct Range {
        int first, last;   // numbers in the job
        int world_first;   // rank of the first in its MPI_COMM_WORLD
        const void *world; // its context
        const ProgramSpecification *program;
    };

    std::vector<Range> ranges;
    for (int i = first_rank_count(); i < rank_count(); ++i) {
        const Rank &rank = rank_at(i);
        // acquire [rank-end-1]
        if (rank.ended.load(std::memory_order_acquire) || !rank.process || !rank.process->world)
            continue;
        const Communicator &world = *rank.process->world;
        if (!ranges.empty() && ranges.back().last == i - 1 &&
            ranges.back().world == world.context && ranges.back().program == rank.specification)
            ranges.back().last = i;
        else
            ranges.push_back({i, i, world.rank, world.context, rank.specification});
    }
    std::vector<std::string> lines;
    for (const Range &range : ranges) {
        bool several = range.last > range.first;
        auto numbers = [&](int first) {
            std::string text = (several ? "ranks " : "rank ") + std::to_string(first);
            return several ? text + "-" + std::to_string(first + range.last - range.first) : text;
        };
        lines.push_back("  " + numbers(range.first) + (several ? " were" : " was") +
                        " spawned: " + numbers(range.world_first) + " of " +
                        (range.program ? range.program->arguments[0] : "a program"));
    }
    return lines;
}

// Returns the threads of the process that are neither tasks nor the library's.
static std::vector<int> unknown_threads() {
    std::vector<int> unknown;
    std::set<int> tasks;
    visit_os_threads(
        [](Task &task, void *argument) {
            static_cast<std::set<int> *>(argument)->insert(
                task.os_thread_id.load(std::memory_order_relaxed));
        },
        &tasks);
    const int self = ::gettid();
    for (int thread : threads_of_process())
        if (thread != self && !tasks.count(thread) && !is_library_thread(thread))
            unknown.push_back(thread);
    return unknown;
}

// Looks twice: one thread may have woken another one that was looked at before.
bool unknown_threads_run() {
    constexpr int looks = 2, pause_us = 1000;
    if (settings().takes_over())
        return false;
    std::vector<std::pair<int, uint64_t>> before;
    for (int look = 0; look < looks; ++look) {
        std::vector<std::pair<int, uint64_t>> now;
        for (int thread : unknown_threads()) {
            const std::optional<uint64_t> switches = sleeps_until_woken(thread);
            if (!switches)
                return true;
            now.emplace_back(thread, *switches);
        }
        if (now.empty())
            return false;
        if (look > 0 && now != before)
            return true;
        before = std::move(now);
        ::usleep(pause_us);
    }
    return false;
}

// Unknown threads act only for the rank of an ordinary process.
bool other_causes_may_act() {
    return pending_events() != 0 || starting_os_threads() != 0 ||
           (!settings().takes_over() && unknown_threads_run());
}

// The caller is a thread of the library, not a task.
bool all_others_are_blocked() {
    constexpr int attempts_max = 100, pause_us = 1000;
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        if (!unknown_threads_run())
            return !grant_window_locks_out_of_order();
        ::usleep(pause_us);
    }
    return false;
}

// Returns whether to report a deadlock of these ranks: with --deadlock=warn only once. If the job
// ends, the caller has then claimed its end.
static bool may_report(const std::vector<int> &ranks) {
    static SpinLock lock;
    static std::set<std::vector<int>> reported; // guarded by lock
    if (settings().on_deadlock == end_on_deadlocks)
        return claim_final_report() == ReportClaim::Granted;
    LockGuard guard(lock);
    return settings().on_deadlock == warn_of_deadlocks && reported.insert(ranks).second;
}

// Ends the job, or says that it goes on.
static void end_or_go_on() {
    if (settings().on_deadlock == end_on_deadlocks)
        leave(deadlock_exit_code);
    report("  the job goes on (--deadlock=warn)");
}

// What all ranks did when some were let go from MPI_Finalize. Used only while all are blocked.
static std::unique_ptr<const Snapshot> before_release;

// Lets ranks in MPI_Finalize go for which the others wait. Their exit codes tell whether the
// program has failed there; if not, the others are deadlocked when these have ended.
static bool release_some_from_finalize() {
    if (settings().on_deadlock != end_on_deadlocks || end_is_claimed())
        return false;
    Snapshot snapshot = take_snapshot();
    if (!some_are_in_finalize(snapshot) || !release_from_finalize(others_of_finalize(snapshot)))
        return false;
    if (!before_release)
        before_release = std::make_unique<const Snapshot>(std::move(snapshot));
    return true;
}

// What the ranks did when some of a partial deadlock were let go. Used only by the thread that
// finds those.
static std::unique_ptr<const Snapshot> before_partial_release;

// Does the same for ranks of a partial deadlock, while others run: the snapshot is made in a copy
// of the memory.
static bool release_some_from_finalize(const std::vector<int> &stuck) {
    Snapshot snapshot;
    if (settings().on_deadlock != end_on_deadlocks || end_is_claimed() ||
        !add_snapshot(snapshot, calls_to_text()))
        return false;
    snapshot.stuck = stuck;
    Snapshot only_stuck = snapshot;
    leave_only(only_stuck, stuck);
    if (!some_are_in_finalize(only_stuck) || !release_from_finalize(others_of_finalize(only_stuck)))
        return false;
    before_partial_release = std::make_unique<const Snapshot>(std::move(snapshot));
    return true;
}

// Returns the snapshot of before, if these ranks are those of it that have not ended since.
static const Snapshot *before_release_of(const std::vector<int> &stuck) {
    if (!before_partial_release)
        return nullptr;
    std::vector<int> left;
    for (int rank : before_partial_release->stuck)
        if (!rank_at(rank - rank_at(0).world_rank).ended.load(std::memory_order_relaxed))
            left.push_back(rank);
    return left == stuck ? before_partial_release.get() : nullptr;
}

// Releases sends and roots that only wait because --check holds them. Returns whether ranks go on.
static bool release_sends() {
    while (some_sends_are_held()) {
        Snapshot snapshot = take_snapshot();
        snapshot.unmatched.clear(); // their senders are shown
        std::string lines;
        for (const std::string &line : call_lines(snapshot))
            lines += "\n" + line;
        release_held_sends(lines);
        if (!activity().only_report_is_active())
            return true;
    }
    return false;
}

// Returns whether those that have not ended since `before` wait in the same calls.
static bool wait_as_before(const Snapshot &before, const Snapshot &now) {
    return before.ranks.size() == now.ranks.size() &&
           std::equal(now.ranks.begin(), now.ranks.end(), before.ranks.begin(),
                      [](const RankState &rank, const RankState &then) {
                          return rank.ended || (rank.function && then.function && !then.ended &&
                                                std::strcmp(rank.function, then.function) == 0 &&
                                                std::strcmp(rank.place, then.place) == 0);
                      });
}

// Returns the lines about the deadlock as the program has made it: with the ranks that were let go
// from MPI_Finalize and have ended since.
static std::vector<std::string> lines_about_all() {
    const Snapshot now = take_snapshot();
    return deadlock_lines(before_release && wait_as_before(*before_release, now) ? *before_release
                                                                                 : now);
}

void report_deadlock_of_all(bool (*still_holds)()) {
    if (grant_window_locks_out_of_order() || release_sends() ||
        some_runs_have_ended({}, still_holds) || release_some_from_finalize() ||
        (still_holds && !still_holds()))
        return;
    std::vector<int> blocked;
    for (int i = 0; i < rank_count(); ++i)
        if (!rank_at(i).ended.load(std::memory_order_relaxed))
            blocked.push_back(rank_at(i).world_rank);
    if (blocked.empty() || !may_report(blocked))
        return;
    for (const std::string &line : lines_about_all())
        report("%s", line.c_str());
    for (const std::string &line : spawned_lines())
        report("%s", line.c_str());
    report_queued_findings();
    report_arrival_findings();
    end_or_go_on();
}

// The lines are made in a copy of the memory, since other ranks run. If one of them has just held a
// lock that the copy needs, another copy is made.
void report_deadlock_of(const StuckRanks &stuck) {
    if (release_held_sends_of(stuck.ranks) || some_runs_have_ended(stuck.ranks, nullptr) ||
        release_some_from_finalize(stuck.ranks) || !may_report(stuck.ranks))
        return;
    if (const Snapshot *before = before_release_of(stuck.ranks)) {
        report("%s", partial_headline({before->stuck, stuck.polling}, rank_count()).c_str());
        for (const std::string &line : call_lines(*before))
            report("%s", line.c_str());
        return end_or_go_on();
    }
    report("%s", partial_headline(stuck, rank_count()).c_str());
    constexpr int attempts_max = 3;
    for (int attempt = 0; attempt < attempts_max && !report_calls(); ++attempt)
        ;
    end_or_go_on();
}

void report_polling(const Polling &all) {
    if (end_is_claimed())
        return;
    report("%s", polling_note(all, rank_count()).c_str());
    report_calls();
}

std::string polling_note(const Polling &all, int ranks) {
    return "note: nobody has got a message for " +
           std::to_string(PollWatch::patience_ns / 1'000'000'000) +
           " s: " + std::to_string(all.polling) + " of " + std::to_string(ranks) +
           " ranks poll in vain, " + std::to_string(all.waiting) + " wait";
}

} // namespace thrum

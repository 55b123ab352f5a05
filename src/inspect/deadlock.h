// The report of a deadlock of one process. deadlock_watch.h detects it. Jobs of several processes
// need more: process_deadlock.h.
#pragma once
#include "inspect/deadlock_report.h"
#include "inspect/poll_looks.h"

#include <string>
#include <vector>

namespace thrum {

// The values of the setting `deadlock`.
inline constexpr int end_on_deadlocks = 0, warn_of_deadlocks = 1, ignore_deadlocks = 2;

// Returns whether the process has threads that the library does not know and that do not sleep
// until another thread wakes them. A rank that is an ordinary process (base/settings.h, takes_over)
// may make them, and one that has not called MPI yet may still send what others wait for.
bool unknown_threads_run();

// Returns whether something else than its known threads may act for a rank of this process: an
// alarm, which may end a wait by a signal or start a thread, a thread that is just starting, or
// unknown threads that run.
bool other_causes_may_act();

// Returns whether nothing can let a blocked rank continue: no thread unknown to the library can
// send what the others wait for, and no rule is left. Call it on a thread of the library, and only
// when all ranks of the process are blocked. May wait for 100 ms.
bool all_others_are_blocked();

// Reports that all ranks are blocked, when no thread of the process runs but the caller. With
// --deadlock=error ends the job with deadlock_exit_code; otherwise says it once. `still_holds` is
// asked last, because another thread may have ended a run of ranks meanwhile (nullptr: not asked).
void report_deadlock_of_all(bool (*still_holds)());

// Does the same for some ranks, while the others run, or poll.
void report_deadlock_of(const StuckRanks &stuck);

// Sets a function that is asked before a deadlock of these ranks (empty: of all) is reported. It
// returns true if it has ended ranks of runs (run/), after which the others may go on, or if it has
// found that the deadlock does not hold any more, by `still_holds` (nullptr: not asked).
using EndStuckRuns = bool(const std::vector<int> &world_ranks, bool (*still_holds)());
void set_end_stuck_runs(EndStuckRuns *function);

// Says that nobody makes progress although ranks of this process, and of no other, poll. The job
// goes on.
void report_polling(const Polling &all);
// Returns what it says about a job of so many ranks.
std::string polling_note(const Polling &all, int ranks);

} // namespace thrum

// Detects the deadlocks of a process (deadlock.h reports them). If nothing can run, the scheduler
// calls report_deadlock() at that moment (fiber/activity.h). A thread of its own looks from time to
// time for deadlocks that the scheduler does not see: some ranks wait for each other while others
// compute, sleep or poll, or all wait and the process has other threads, which sleep.
#pragma once

namespace thrum {

// Starts the thread, if it does not run yet. Does nothing if the settings switch the watch off.
void start_deadlock_watch();

// Reports a deadlock of all ranks and ends the job with deadlock_exit_code. Does nothing if no rank
// is blocked (the job is about to end). A QuiescenceFunction.
void report_deadlock();

} // namespace thrum

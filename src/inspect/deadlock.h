// Deadlocks of one process: every rank is blocked and no message can arrive. The scheduler calls
// report_deadlock() at the moment when nothing can run (fiber/activity.h). Jobs of several
// processes need more: process_deadlock.h.
#pragma once
#include "inspect/deadlock_report.h"

namespace thrum {

// Returns what all ranks of this process are doing. Reads their state without stopping them, so it
// is exact only while none runs.
Snapshot take_snapshot();

// Returns whether nothing can let a blocked rank continue: no thread unknown to the library can
// send what the others wait for, and no rule is left. Call it on a thread of the library, and only
// when all ranks of the process are blocked. May wait for 100 ms.
bool all_others_are_blocked();

// Prints deadlock_lines() and ends the job with deadlock_exit_code. Does nothing if no rank is
// blocked (the job is about to end). A QuiescenceFunction.
void report_deadlock();

} // namespace thrum
